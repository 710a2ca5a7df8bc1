/* A function joins the thread for main: what main writes after that call is too late for the thread's read. */
#include <pthread.h>
#include <stdio.h>

static int shared;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    copied = shared + 1;                                   /* keep */
    return NULL;
}

static void wait_for(pthread_t thread) {
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    int early = argc + 4;                                  /* keep */
    int late = argc + 80;                                  /* drop */
    shared = early;                                        /* keep */
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    wait_for(copier);
    shared = late;                                         /* drop */
    int seen = copied;                                     /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    printf("%d\n", shared);                                /* drop */
    return 0;
}
