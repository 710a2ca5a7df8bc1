/* Every kind of lock: who comes when differs from run to run, and is printed. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { threads = 4, rounds = 400 };

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t few, bell;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static unsigned long trail[16];
static unsigned counts[16];

static void note(unsigned what, unsigned long value) {
    trail[what] = trail[what] * 1099511628211u + value;
    counts[what]++;
}

static struct timespec in(long nanoseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += nanoseconds;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static unsigned initialiser;
static __thread unsigned me;
static void initialise(void) { initialiser = me; }

static void work(unsigned *seed) {
    for (volatile unsigned i = rand_r(seed) % 300; i; i--)
        ;
    if (rand_r(seed) % 16 == 0)
        sched_yield();
}

static unsigned busy, late; /* under `normal` */

static void use_mutexes(unsigned *seed) {
    pthread_mutex_lock(&normal);
    note(0, me);
    work(seed);
    pthread_mutex_unlock(&normal);

    int got = pthread_mutex_trylock(&normal);
    if (got == 0) {
        note(1, me);
        pthread_mutex_unlock(&normal);
    }
    struct timespec until = in(20000);
    int timed = pthread_mutex_timedlock(&normal, &until);
    if (timed == 0) {
        note(2, me);
        busy += got != 0;
        pthread_mutex_unlock(&normal);
    } else {
        pthread_mutex_lock(&normal);
        late++;
        pthread_mutex_unlock(&normal);
    }
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    note(3, me);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);

    pthread_mutex_lock(&checking);
    note(4, (unsigned long)pthread_mutex_lock(&checking) == EDEADLK ? me : 99);
    pthread_mutex_unlock(&checking);
    if (pthread_mutex_unlock(&checking) != EPERM)
        abort();
}

static unsigned long value; /* under `shared` */

static void use_rwlock(unsigned *seed, unsigned long *sum) {
    if (rand_r(seed) % 4 == 0) {
        pthread_rwlock_wrlock(&shared);
        value = value * 31 + me;
        note(5, me);
        pthread_rwlock_unlock(&shared);
    } else {
        pthread_rwlock_rdlock(&shared);
        *sum = *sum * 7 + value;
        work(seed);
        pthread_rwlock_unlock(&shared);
    }
    if (pthread_rwlock_tryrdlock(&shared) == 0) {
        *sum += value;
        pthread_rwlock_unlock(&shared);
    } else {
        (*sum)++;
    }
    if (pthread_rwlock_trywrlock(&shared) == 0) {
        value++;
        pthread_rwlock_unlock(&shared);
    }
}

static void use_others(unsigned *seed, unsigned long *sum) {
    pthread_spin_lock(&spin);
    note(6, me);
    pthread_spin_unlock(&spin);
    if (pthread_spin_trylock(&spin) == 0) {
        note(6, me + 8);
        pthread_spin_unlock(&spin);
    } else {
        *sum = *sum * 3 + 1;
    }
    struct timespec until = in(30000);
    int got = rand_r(seed) % 2 ? sem_wait(&few) : sem_timedwait(&few, &until);
    if (got == 0) {
        work(seed);
        sem_post(&few);
    } else {
        *sum = *sum * 5 + (unsigned)errno;
    }
    if (sem_trywait(&few) == 0)
        sem_post(&few);
    else
        *sum = *sum * 11 + (unsigned)errno;
}

static int turn; /* under `normal` */

static void use_condition(unsigned *seed) {
    pthread_mutex_lock(&normal);
    unsigned tries = 0;
    while ((unsigned)turn % threads != me - 1 && tries++ < 3) {
        struct timespec until = in(200000);
        if (rand_r(seed) % 2)
            note(7, (unsigned long)pthread_cond_timedwait(&wake, &normal, &until) + me);
        else
            note(8, (unsigned long)pthread_cond_clockwait(&wake, &normal, CLOCK_REALTIME, &until));
    }
    turn++;
    note(9, me);
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&normal);
}

static void *run(void *argument) {
    me = (unsigned)(unsigned long)argument;
    unsigned seed = me, serial = 0;
    unsigned long sum = 0;
    pthread_once(&once, initialise);
    for (unsigned i = 0; i < rounds; i++) {
        use_mutexes(&seed);
        use_rwlock(&seed, &sum);
        use_others(&seed, &sum);
        if (i % 8 == 0)
            use_condition(&seed);
        if (i % 64 == 0)
            serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    sem_post(&bell);
    return (void *)(sum * 64 + serial);
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, threads);
    sem_init(&few, 0, 2);
    sem_init(&bell, 0, 0);
    pthread_t all[threads];
    for (unsigned long i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, run, (void *)(i + 1));
    for (unsigned i = 0; i < threads; i++)
        while (sem_wait(&bell) != 0)
            ;
    for (unsigned i = 0; i < threads; i++) {
        void *result;
        pthread_join(all[i], &result);
        printf("thread %u: %lx\n", i, (unsigned long)result);
    }
    for (unsigned i = 0; i < 10; i++)
        printf("%u: %u %lx\n", i, counts[i], trail[i]);
    printf("once by %u, busy %u, late %u, value %lx\n", initialiser, busy, late, value);
    return 0;
}
