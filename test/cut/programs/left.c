#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
/* Threads that are at work when the program ends: what they did last is in no event. */
static _Atomic unsigned turns, begun;
static __attribute__((noinline)) unsigned spin(unsigned seed) {
    atomic_fetch_add(&begun, 1);
    for (;;)
        seed = seed * 31 + atomic_fetch_add(&turns, seed % 3);
    return seed;
}
static void *work(void *data) { return (void *)(size_t)spin((unsigned)(size_t)data); }
int main(void) {
    pthread_t thread;
    atomic_fetch_add(&turns, 7); /* nobody else is there */
    for (size_t i = 1; i < 4; i++)
        pthread_create(&thread, NULL, work, (void *)i);
    while (atomic_load(&begun) < 3)
        ;
    while (atomic_load(&turns) < 500)
        ;
    exit((int)(atomic_load(&turns) % 50) + 3);
}
