/* Chop through a thread that copies c to d: the second write of c comes of the source but too late for main's read of d. */
/* options: --chop */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int c;
static atomic_int d;

static void *copy_c_to_d(void *unused) {
    (void)unused;
    int moved = c;                                         /* keep */
    d = moved;                                             /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    int source = argc * 2;                                 /* slice */
    c = source;                                            /* keep */
    d = argc + 1;                                          /* drop */
    pthread_create(&copier, NULL, copy_c_to_d, NULL);
    int taken = d;                                         /* keep */
    int late = source + 6;                                 /* drop */
    c = late;                                              /* drop */
    pthread_join(copier, NULL);
    int last = taken + 1;                                  /* keep */
    printf("slice: %d\n", last);                           /* chop: last */
    return 0;
}
