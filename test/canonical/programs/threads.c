/* POSIX threads: two hundred at once, five thousand one after another,
 * detached, cancelled, ended by pthread_exit, with keys, cleanup handlers,
 * attributes and stacks of their own, mutexes and conditions. */
/* flags: -pthread */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long shared;
static atomic_int destroyed, cleaned, finished;
static pthread_key_t key;

static int fill_and_check(int n) {
    unsigned char a[1000];
    memset(a, n, sizeof a);
    sched_yield();
    char *heap = malloc(100);
    memset(heap, n, 100);
    int good = 1;
    for (int i = 0; i < 1000; i++)
        good &= a[i] == (unsigned char)n;
    for (int i = 0; i < 100; i++)
        good &= heap[i] == (char)n;
    free(heap);
    return good;
}

static void *at_once(void *argument) {
    pthread_barrier_wait(&barrier);
    int n = (int)(intptr_t)argument, good = 1;
    for (int i = 0; i < 20; i++)
        good &= fill_and_check(n + i);
    pthread_mutex_lock(&mutex);
    shared += good;
    pthread_mutex_unlock(&mutex);
    return (void *)(intptr_t)(n * 2);
}

static void *short_lived(void *argument) {
    int local = *(int *)argument;
    *(int *)argument = local + fill_and_check(local);
    return NULL;
}

static void destroy(void *value) {
    char copy[20];
    strcpy(copy, value);
    destroyed += copy[0] == 'k';
    free(value);
}
static void cleanup(void *argument) { int a[10] = {*(int *)argument}; cleaned += a[0]; }

static void *with_key(void *argument) {
    pthread_setspecific(key, strdup("key"));
    int one = 1;
    pthread_cleanup_push(cleanup, &one);
    if (argument)
        pthread_exit((void *)5);
    pthread_cleanup_pop(1);
    return pthread_getspecific(key) ? (void *)6 : NULL;
}

static void *cancelled(void *argument) {
    int two = 2;
    char frame[2000];
    memset(frame, 1, sizeof frame);
    pthread_cleanup_push(cleanup, &two);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return argument;
}

static sem_t done;
static void *detached(void *argument) {
    finished += fill_and_check((int)(intptr_t)argument);
    sem_post(&done);
    return NULL;
}

static void *small_stack(void *argument) {
    char a[4000];
    memset(a, 9, sizeof a);
    return (void *)(intptr_t)(a[3999] + (argument != NULL));
}

static int queue[10], head, tail;
static void *consumer(void *argument) {
    long s = 0;
    for (int got = 0; got < 1000; got++) {
        pthread_mutex_lock(&mutex);
        while (head == tail)
            pthread_cond_wait(&condition, &mutex);
        s += queue[head++ % 10];
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    *(long *)argument = s;
    return NULL;
}

static void *exits_deep(void *argument) {
    int n = (int)(intptr_t)argument;
    char a[300];
    memset(a, n, sizeof a);
    if (n == 0)
        pthread_exit((void *)(intptr_t)(a[0] + 3));
    return exits_deep((void *)(intptr_t)(n - 1)) ? (void *)(intptr_t)a[1] : NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;
static void initialise(void) { char a[9]; memset(a, 1, 9); initialised += a[8]; }
static volatile sig_atomic_t hits;
static void on_signal(int n) { char a[99]; memset(a, n, 99); hits += a[98] == n; }
static void *signalled(void *stop) {
    while (!*(atomic_int *)stop)
        if (!fill_and_check(3))
            return (void *)1;
    return NULL;
}

int main(void) {
    enum { many = 200 };
    pthread_t t[many];
    void *result;
    long sum = 0;
    pthread_barrier_init(&barrier, NULL, many);
    for (int i = 0; i < many; i++)
        if (pthread_create(&t[i], NULL, at_once, (void *)(intptr_t)i))
            return 2;
    for (int i = 0; i < many; i++)
        pthread_join(t[i], &result), sum += (intptr_t)result;
    printf("%ld %ld\n", shared, sum);

    int n = 0;
    for (int i = 0; i < 5000; i++)
        if (pthread_create(&t[0], NULL, short_lived, &n) || pthread_join(t[0], NULL))
            return 3;
    printf("%d\n", n);

    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[0], NULL, with_key, (void *)(intptr_t)i);
        pthread_join(t[0], &result);
        printf("%ld %d %d\n", (long)(intptr_t)result, destroyed, cleaned);
    }
    for (int i = 0; i < 20; i++) {
        pthread_create(&t[0], NULL, cancelled, NULL);
        pthread_cancel(t[0]);
        pthread_join(t[0], &result);
        if (result != PTHREAD_CANCELED)
            return 4;
    }
    pthread_create(&t[0], NULL, cancelled, NULL);
    usleep(20000);
    cleaned = 0;
    pthread_cancel(t[0]);
    pthread_join(t[0], &result);
    printf("%d %d\n", result == PTHREAD_CANCELED, cleaned);

    sem_init(&done, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 50; i++)
        pthread_create(&t[0], &attributes, detached, (void *)(intptr_t)i);
    for (int i = 0; i < 50; i++)
        sem_wait(&done);
    printf("%d\n", finished);
    pthread_attr_destroy(&attributes);

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    pthread_create(&t[0], &attributes, small_stack, NULL);
    pthread_join(t[0], &result);
    printf("%ld\n", (long)(intptr_t)result);
    void *stack = aligned_alloc(4096, 256 * 1024);
    pthread_attr_setstack(&attributes, stack, 256 * 1024);
    pthread_create(&t[0], &attributes, small_stack, &n);
    pthread_join(t[0], &result);
    printf("%ld\n", (long)(intptr_t)result);
    free(stack);

    long consumed;
    pthread_create(&t[0], NULL, consumer, &consumed);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        while (tail - head == 10)
            pthread_cond_wait(&condition, &mutex);
        queue[tail++ % 10] = i;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(t[0], NULL);
    printf("%ld\n", consumed);
    for (int i = 0; i < 300; i++) {
        pthread_create(&t[0], NULL, exits_deep, (void *)30);
        pthread_join(t[0], &result);
        sum += (intptr_t)result;
    }
    printf("%ld\n", sum);
    for (int i = 0; i < 3; i++)
        pthread_once(&once, initialise);
    printf("%d\n", initialised);
    signal(SIGUSR1, on_signal);
    atomic_int stop = 0;
    pthread_create(&t[0], NULL, signalled, &stop);
    for (int i = 0; i < 200; i++) {
        pthread_kill(t[0], SIGUSR1);
        usleep(100);
    }
    stop = 1;
    pthread_join(t[0], &result);
    printf("%d %d\n", result == NULL, hits > 0);
    pthread_attr_t mine;
    size_t size;
    pthread_getattr_np(pthread_self(), &mine);
    pthread_attr_getstack(&mine, &stack, &size);
    char *here = __builtin_frame_address(0);
    printf("%d\n", here >= (char *)stack && here < (char *)stack + size);
    return 0;
}
