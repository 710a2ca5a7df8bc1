/* Blocks that are made in one thread and freed in another: which address comes next
 * differs from run to run, and is printed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { producers = 2, consumers = 2, blocks = 20000, room = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static char *queue[room];
static unsigned used, made_by_all;

static void *produce(void *argument) {
    unsigned seed = (unsigned)(unsigned long)argument;
    unsigned long trail = 0;
    for (unsigned i = 0; i < blocks; i++) {
        size_t size =
            rand_r(&seed) % 100 == 0 ? 40000 + rand_r(&seed) % 200000 : 8 + rand_r(&seed) % 600;
        char *block = malloc(size);
        memset(block, (int)i, 8);
        trail = trail * 31 + (unsigned long)block;
        pthread_mutex_lock(&lock);
        while (used == room)
            pthread_cond_wait(&not_full, &lock);
        queue[used++] = block;
        made_by_all++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
        if (i % 7 == 0)
            block = realloc(malloc(24), 300), trail += (unsigned long)block, free(block);
    }
    return (void *)trail;
}

static unsigned taken_by_all;

static void *consume(void *argument) {
    unsigned long trail = (unsigned long)argument;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (used == 0 && taken_by_all < producers * blocks)
            pthread_cond_wait(&not_empty, &lock);
        if (used == 0) {
            pthread_cond_broadcast(&not_empty);
            pthread_mutex_unlock(&lock);
            return (void *)trail;
        }
        char *block = queue[--used];
        taken_by_all++;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        trail = trail * 31 + (unsigned char)*block;
        free(block);
    }
}

int main(void) {
    pthread_t all[producers + consumers];
    for (unsigned long i = 0; i < producers; i++)
        pthread_create(&all[i], NULL, produce, (void *)i);
    for (unsigned long i = 0; i < consumers; i++)
        pthread_create(&all[producers + i], NULL, consume, (void *)i);
    for (unsigned i = 0; i < producers + consumers; i++) {
        void *result;
        pthread_join(all[i], &result);
        printf("%u: %lx\n", i, (unsigned long)result);
    }
    void *last = malloc(100);
    printf("%u %u %p\n", made_by_all, taken_by_all, last);
    free(last);
    return 0;
}
