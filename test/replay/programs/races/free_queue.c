/* A queue with a condition: what is in it is written before and read after. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct item {
    struct item *next;
    int number;
} *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int is_over;

static void *produce(void *argument) {
    for (int i = 0; i < 50; i++) {
        struct item *item = malloc(sizeof *item);
        item->number = i;
        pthread_mutex_lock(&lock);
        item->next = first;
        first = item;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *consume(void *argument) {
    long sum = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first && !is_over)
            pthread_cond_wait(&more, &lock);
        struct item *item = first;
        if (item)
            first = item->next;
        pthread_mutex_unlock(&lock);
        if (!item)
            break;
        sum += item->number;
        free(item);
    }
    *(long *)argument = sum;
    return NULL;
}

int main(void) {
    pthread_t producers[2], consumers[2];
    long sums[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&producers[i], NULL, produce, NULL);
        pthread_create(&consumers[i], NULL, consume, &sums[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    pthread_mutex_lock(&lock);
    is_over = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    printf("%ld\n", sums[0] + sums[1]);
    return 0;
}
