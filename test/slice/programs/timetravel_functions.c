/* The read and the later write lie in functions that main calls one after the other; the write comes too late. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int c;
static atomic_int d;

static int take(void) {
    return d;                                              /* keep */
}

static void give(int value) {
    c = value;                                             /* drop */
}

static void pass_on(void) {
    int moved = c;                                         /* keep */
    d = moved;                                             /* keep */
}

static void *mover(void *unused) {
    (void)unused;
    pass_on();                                             /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t moving;
    c = argc;                                              /* keep */
    d = argc;                                              /* keep */
    pthread_create(&moving, NULL, mover, NULL);            /* keep */
    int taken = take();                                    /* keep */
    int late = argc + 6;                                   /* drop */
    give(late);                                            /* drop */
    pthread_join(moving, NULL);
    printf("slice: %d\n", taken);                          /* slice: taken */
    return 0;
}
