/* Given by a store that releases, taken by a load that acquires; a lock of one's own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int is_there;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int payload, counter;

static void count(void) {
    for (int i = 0; i < 50; i++) {
        while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
            ;
        counter++;
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
}

static void *give(void *argument) {
    payload = 9;
    atomic_store_explicit(&is_there, 1, memory_order_release);
    count();
    return argument;
}

static void *take(void *argument) {
    while (!atomic_load_explicit(&is_there, memory_order_acquire))
        ;
    *(int *)argument = payload;
    count();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int got = 0;
    pthread_create(&threads[0], NULL, give, NULL);
    pthread_create(&threads[1], NULL, take, &got);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", got, counter);
    return 0;
}
