#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
/* Threads that see of each other by atomic operations and what is volatile, all of them in replay
 * space. */
static volatile unsigned last;
static _Atomic unsigned turns, tickets[4], ready;
static __attribute__((noinline)) unsigned draw(unsigned seed) {
    unsigned sum = seed;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 4)
        sched_yield();
    for (int i = 0; i < 6000; i++) {
        sum = sum * 31 + atomic_fetch_add(&turns, 1);
        sum += atomic_exchange(&tickets[sum % 4], sum);
        unsigned expected = sum;
        if (!atomic_compare_exchange_strong(&tickets[i % 4], &expected, seed))
            sum ^= expected;
        sum ^= last;
        last = sum;
        if (i % 7 == 0)
            sum += atomic_load(&tickets[1]);
        if (i % 5 == 0)
            atomic_store(&tickets[2], sum);
    }
    return sum;
}
static void *work(void *data) { return (void *)(size_t)draw((unsigned)(size_t)data); }
int main(void) {
    pthread_t threads[4];
    unsigned sum = 0;
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (size_t i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum = sum * 17 + (unsigned)(size_t)result;
    }
    printf("%u\n", sum);
    return (int)(sum % 200) + 3;
}
