/* A relaxed flag is atomic, but gives nothing of what was written before it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int is_there;
static int payload;

static void *give(void *argument) {
    payload = 9; /* race */
    atomic_store_explicit(&is_there, 1, memory_order_relaxed);
    return argument;
}

static void *take(void *argument) {
    while (!atomic_load_explicit(&is_there, memory_order_relaxed))
        ;
    *(int *)argument = payload; /* race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int got = 0;
    pthread_create(&threads[0], NULL, give, NULL);
    pthread_create(&threads[1], NULL, take, &got);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", got);
    return 0;
}
