/* A thread that ends inside of a function leaves what it has written so far. */
#include <pthread.h>
#include <stdio.h>

static int stage, other, limit;

static void check(void) {
    if (limit > 0)                               /* keep */
        pthread_exit(NULL);                      /* keep */
}

static void *work(void *unused) {
    stage = 1;                                   /* keep */
    other = 1;                                   /* drop */
    check();                                     /* keep */
    stage = 2;                                   /* keep */
    other = 2;                                   /* drop */
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    limit = argc;                                /* keep */
    pthread_create(&thread, NULL, work, NULL);   /* keep */
    pthread_join(thread, NULL);                  /* keep */
    printf("slice: %d\n", stage);                /* slice: stage */
    printf("%d\n", other);                       /* drop */
    return 0;
}
