/* Blocks are made, used and freed by many; memory comes back to others. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *box;

static void *work(void *argument) {
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        size_t size = 16 + (size_t)(i % 7) * 24;
        char *block = malloc(size);
        memset(block, i, size);
        if (i % 5 == 0) {
            block = realloc(block, size + 100);
            block[size] = 1;
        }
        pthread_mutex_lock(&lock);
        char *other = box;
        box = block;
        pthread_mutex_unlock(&lock);
        if (other)
            sum += other[0] & 1;
        free(other);
    }
    *(long *)argument = sum;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    long sums[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &sums[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sums[0] + sums[1] + sums[2] > 0);
    free(box);
    return 0;
}
