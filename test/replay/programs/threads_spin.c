/* Threads that wait for each other by looking: how often they look is part of the result. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { rounds = 300 };

static _Alignas(64) atomic_int turn;
static _Alignas(64) atomic_short small;
static _Alignas(64) _Atomic(void *) where;
static int published[rounds]; /* ordered by `turn` alone */

static void *answer(void *unused) {
    unsigned long looks = 0, sum = 0;
    for (int i = 0; i < rounds; i++) {
        while (atomic_load(&turn) != 2 * i + 1)
            looks++;
        sum = sum * 31 + (unsigned)published[i] + (unsigned)atomic_load(&small);
        atomic_store(&turn, 2 * i + 2);
    }
    while (!atomic_load_explicit(&where, memory_order_acquire))
        looks++;
    printf("answer: %lu looks, sum %lx, %d\n", looks, sum, *(int *)atomic_load(&where));
    return unused;
}

/* Nobody else is interested in what it does, and it looks at the same. */
static void *watch(void *unused) {
    unsigned long looks = 0, changes = 0;
    for (int last = 0, now; (now = atomic_load(&turn)) < 2 * rounds; looks++)
        if (now != last) {
            changes = changes * 7 + (unsigned)(now - last);
            last = now;
        }
    printf("watch: %lu looks, changes %lx\n", looks, changes);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int value = 42;
    unsigned long looks = 0;
    pthread_create(&threads[0], NULL, answer, NULL);
    pthread_create(&threads[1], NULL, watch, NULL);
    for (int i = 0; i < rounds; i++) {
        published[i] = i * i;
        atomic_store(&small, (short)i);
        atomic_store(&turn, 2 * i + 1);
        while (atomic_load(&turn) != 2 * i + 2)
            looks++;
    }
    atomic_store_explicit(&where, &value, memory_order_release);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("asked: %lu looks\n", looks);
    return 0;
}
