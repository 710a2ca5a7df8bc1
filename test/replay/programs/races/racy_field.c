/* Two fields of a struct, of which one is everybody's. */
#include <pthread.h>
#include <stdio.h>

static struct account {
    char name[12];
    int own[2], shared;
} accounts[3];

static void *deposit(void *argument) {
    int who = *(int *)argument;
    accounts[1].own[who] += 5;
    accounts[1].shared = who; /* race race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int who[] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, deposit, &who[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", accounts[1].own[0], accounts[1].own[1]);
    return 0;
}
