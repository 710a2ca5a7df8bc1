/* Threads of C11. */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { workers = 3, rounds = 300 };

static mtx_t lock, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t mine;
static unsigned long trail;
static unsigned turn, late, busy, freed;

static void initialise(void) { trail = 17; }
static void release(void *value) {
    mtx_lock(&lock);
    trail = trail * 31 + *(unsigned *)value;
    freed++;
    mtx_unlock(&lock);
    free(value);
}

static int work(void *argument) {
    unsigned me = (unsigned)(unsigned long)argument, seed = me;
    call_once(&once, initialise);
    unsigned *own = malloc(sizeof *own);
    *own = me;
    tss_set(mine, own);
    for (unsigned i = 0; i < rounds; i++) {
        mtx_lock(&lock);
        trail = trail * 31 + me;
        mtx_unlock(&lock);
        if (mtx_trylock(&lock) == thrd_success) {
            trail++;
            for (volatile unsigned k = rand_r(&seed) % 500; k; k--)
                ;
            mtx_unlock(&lock);
        } else {
            mtx_lock(&lock);
            busy++;
            mtx_unlock(&lock);
        }
        struct timespec until;
        timespec_get(&until, TIME_UTC);
        until.tv_nsec += 50000;
        if (until.tv_nsec >= 1000000000)
            until.tv_nsec -= 1000000000, until.tv_sec++;
        if (mtx_timedlock(&timed, &until) == thrd_success) {
            thrd_yield();
            mtx_unlock(&timed);
        }
        mtx_lock(&lock);
        if (turn % workers != me - 1) {
            late += cnd_timedwait(&changed, &lock, &until) != thrd_success;
            trail = trail * 7 + turn;
        }
        turn++;
        i % 2 ? cnd_signal(&changed) : cnd_broadcast(&changed);
        mtx_unlock(&lock);
    }
    if (me == 2)
        thrd_exit(20);
    return (int)me;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    mtx_init(&timed, mtx_timed);
    cnd_init(&changed);
    tss_create(&mine, release);
    thrd_t all[workers];
    for (unsigned long i = 0; i < workers; i++)
        if (thrd_create(&all[i], work, (void *)(i + 1)) != thrd_success)
            return 1;
    for (unsigned i = 0; i < workers; i++) {
        int result;
        thrd_join(all[i], &result);
        printf("%u: %d\n", i, result);
    }
    printf("%lx, turn %u, late %u, busy %u, freed %u, %d\n", trail, turn, late, busy, freed,
           thrd_equal(thrd_current(), all[0]) != 0);
    return 0;
}
