/* Whoever comes first makes the table. */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[8];

static void make_table(void) {
    for (int i = 0; i < 8; i++)
        table[i] = i * i;
}

static void *use(void *argument) {
    pthread_once(&once, make_table);
    *(int *)argument = table[3];
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    int got[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, use, &got[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", got[0], got[1], got[2], got[3]);
    return 0;
}
