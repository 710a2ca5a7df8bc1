/* What main writes before it creates the thread, and the condition of that write, reach the thread's read. */
#include <pthread.h>
#include <stdio.h>

static int shared;
static int other;

static void *show(void *unused) {
    (void)unused;
    int seen = shared * 2;                                 /* keep */
    int ignored = other * 2;                               /* drop */
    printf("slice: %d\n", seen);                           /* slice: seen */
    printf("%d\n", ignored);                               /* drop */
    return NULL;
}

static void prepare(int value) {
    if (value > 1)                                         /* keep */
        shared = value + 3;                                /* keep */
    if (value > 4)                                         /* drop */
        other = value;                                     /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int value = argc + 1;                                  /* keep */
    shared = argc;                                         /* keep */
    other = argc + 20;                                     /* drop */
    prepare(value);                                        /* keep */
    pthread_create(&thread, NULL, show, NULL);             /* keep */
    pthread_join(thread, NULL);
    return 0;
}
