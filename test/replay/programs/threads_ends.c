/* How threads begin and end: detached, by pthread_exit(), in threads of threads, with
 * destructors, one after the other and many at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static _Thread_local int local = 5;
static unsigned long trail;
static unsigned destroyed;
static sem_t over;

static void destroy(void *value) {
    pthread_mutex_lock(&lock);
    trail = trail * 31 + (unsigned long)value;
    destroyed++;
    pthread_mutex_unlock(&lock);
}

static void clean(void *value) {
    unsigned long values[50] = {0};
    values[(unsigned long)value % 50] = (unsigned long)value;
    pthread_mutex_lock(&lock);
    trail = trail * 17 + values[(unsigned long)value % 50];
    pthread_mutex_unlock(&lock);
}

/* Ends below two frames that want to clean up, and after one that did. */
static void *clean_up(void *argument) {
    volatile unsigned long number = (unsigned long)argument, frame[30];
    pthread_cleanup_push(clean, (void *)(number + 1));
    frame[number % 30] = number;
    pthread_cleanup_push(clean, (void *)(number + 2));
    pthread_cleanup_pop(1);
    pthread_cleanup_push(clean, (void *)(number + 3 + frame[number % 30]));
    if (number % 2)
        pthread_exit((void *)(number + 4));
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return (void *)number;
}

static void *leave(void *argument) {
    unsigned long number = (unsigned long)argument;
    local += (int)number;
    pthread_setspecific(key, (void *)(number + 1000));
    pthread_mutex_lock(&lock);
    trail = trail * 31 + number + (unsigned long)local;
    pthread_mutex_unlock(&lock);
    if (number % 2)
        pthread_exit((void *)(number * 3));
    return (void *)(number * 2);
}

static void *alone(void *argument) {
    pthread_detach(pthread_self());
    leave(argument);
    sem_post(&over);
    return NULL;
}

static void *parent(void *argument) {
    unsigned long sum = 0;
    pthread_t children[3];
    for (unsigned long i = 0; i < 3; i++)
        pthread_create(&children[i], NULL, leave, (void *)(i + (unsigned long)argument));
    for (unsigned i = 0; i < 3; i++) {
        void *result;
        pthread_join(children[i], &result);
        sum = sum * 31 + (unsigned long)result;
    }
    for (unsigned long i = 0; i < 3; i++)
        pthread_create(&children[i], NULL, clean_up, (void *)(i + (unsigned long)argument));
    for (unsigned i = 0; i < 3; i++) {
        void *result;
        pthread_join(children[i], &result);
        sum = sum * 31 + (unsigned long)result;
    }
    return (void *)sum;
}

static void *stay(void *argument) {
    for (;;) {
        usleep(20000);
        if (argument) {
            printf("the last one\n");
            exit(9);
        }
    }
}

int main(int argc, char **argv) {
    pthread_key_create(&key, destroy);
    sem_init(&over, 0, 0);
    printf("local %d\n", local);
    for (unsigned long i = 0; i < 20; i++) {
        pthread_t one;
        void *result;
        pthread_create(&one, NULL, leave, (void *)i);
        pthread_join(one, &result);
        printf("%lu ", (unsigned long)result);
    }
    putchar('\n');
    pthread_t many[40];
    for (unsigned long i = 0; i < 40; i++)
        pthread_create(&many[i], NULL, i % 4 ? leave : parent, (void *)(i * 10));
    for (unsigned i = 0; i < 40; i++) {
        void *result;
        int busy = 0;
        while (i % 3 == 0 && pthread_tryjoin_np(many[i], &result) == EBUSY && busy++ < 3)
            ;
        if (i % 3 || busy > 3)
            pthread_join(many[i], &result);
        printf("%lx ", (unsigned long)result);
    }
    putchar('\n');
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    for (unsigned long i = 0; i < 10; i++) {
        pthread_t one;
        pthread_create(&one, i % 2 ? &attributes : NULL, i % 2 ? leave : alone, (void *)i);
    }
    for (unsigned i = 0; i < 5; i++)
        sem_wait(&over);
    usleep(20000);
    pthread_mutex_lock(&lock);
    printf("trail %lx, destroyed %u\n", trail, destroyed);
    pthread_mutex_unlock(&lock);
    pthread_t left;
    pthread_create(&left, NULL, stay, argc > 1 ? "" : NULL);
    printf("main is itself: %d %d\n", pthread_equal(pthread_self(), pthread_self()) != 0,
           pthread_equal(pthread_self(), left) != 0);
    if (argc > 1)
        pthread_exit(argv);
    return 7; /* while another thread is there */
}
