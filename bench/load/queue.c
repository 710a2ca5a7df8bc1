/* A queue between two threads that is locked for every item: queue N. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { room = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static unsigned long items[room];
static unsigned long begin, end, count;

static void *produce(void *argument) {
    unsigned long value = 1;
    for (unsigned long i = 0; i < count; i++) {
        for (int k = 0; k < 20; k++)
            value = value * 6364136223846793005UL + 1442695040888963407UL;
        pthread_mutex_lock(&lock);
        while (end - begin == room)
            pthread_cond_wait(&not_full, &lock);
        items[end++ % room] = value;
        if (end - begin == 1)
            pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(int arguments, char **argument) {
    pthread_t producer;
    unsigned long sum = 0;
    count = arguments > 1 ? strtoul(argument[1], NULL, 10) : 1000000;
    pthread_create(&producer, NULL, produce, NULL);
    for (unsigned long i = 0; i < count; i++) {
        pthread_mutex_lock(&lock);
        while (end == begin)
            pthread_cond_wait(&not_empty, &lock);
        unsigned long value = items[begin++ % room];
        if (end - begin == room - 1)
            pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        for (int k = 0; k < 20; k++)
            value ^= value << 13, value ^= value >> 7, value ^= value << 17;
        sum += value;
    }
    pthread_join(producer, NULL);
    printf("%lx\n", sum);
    return 0;
}
