/* Two spin locks that share eight bytes. */
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t locks[2];
static int counters[2];

static void *count(void *argument) {
    for (int i = 0; i < 200; i++) {
        pthread_spin_lock(&locks[i % 2]);
        counters[i % 2]++;
        pthread_spin_unlock(&locks[i % 2]);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 2; i++)
        pthread_spin_init(&locks[i], PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", counters[0], counters[1]);
    return 0;
}
