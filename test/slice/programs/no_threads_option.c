/* Without knowledge of threads a write in the one thread does not reach the read in the one created before it. */
/* options: --no-threads */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int offer;
static atomic_int copied;

static void *reader(void *unused) {
    (void)unused;
    copied = offer;
    return NULL;
}

static void *writer(void *argument) {
    int fresh = *(int *)argument;                          /* drop */
    offer = fresh;                                         /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t reading, writing;
    int base = argc + 4;                                   /* keep */
    int fresh = argc + 1;                                  /* drop */
    offer = argc;
    pthread_create(&reading, NULL, reader, NULL);
    pthread_create(&writing, NULL, writer, &fresh);        /* drop */
    pthread_join(reading, NULL);
    pthread_join(writing, NULL);
    int total = base + (copied > 5);                       /* keep */
    printf("slice: %d\n", total);                          /* slice: total */
    return 0;
}
