/* A block of the heap that both have. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *fill(void *argument) {
    long *block = argument;
    block[3] = 7; /* race */
    return NULL;
}

int main(void) {
    pthread_t thread;
    long *block = calloc(8, sizeof *block);
    pthread_create(&thread, NULL, fill, block);
    long seen = block[3]; /* race */
    pthread_join(thread, NULL);
    printf("%d\n", seen == 0 || seen == 7);
    free(block);
    return 0;
}
