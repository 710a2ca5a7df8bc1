/* Chop from a value in main to main's last value by way of the thread: what only adds to it, or only comes of it, is out. */
/* options: --chop */
#include <pthread.h>
#include <stdio.h>

static int shared;
static int result;
static int aside;

static void *work(void *argument) {
    int extra = *(int *)argument;                          /* drop */
    int base = shared;                                     /* keep */
    int mixed = base + extra;                              /* keep */
    result = mixed;                                        /* keep */
    aside = base + 1;                                      /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int extra = argc + 9;                                  /* drop */
    int source = argc + 2;                                 /* slice */
    shared = source + 1;                                   /* keep */
    pthread_create(&thread, NULL, work, &extra);
    pthread_join(thread, NULL);
    int last = result + 1;                                 /* keep */
    printf("slice: %d\n", last);                           /* chop: last */
    printf("%d\n", aside);                                 /* drop */
    return 0;
}
