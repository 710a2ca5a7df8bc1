/* The same function writes c before and after main's read of d: only the first call comes early enough. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int c;
static atomic_int d;

static void give(int value) {
    c = value;                                             /* keep */
}

static void *copy_c_to_d(void *unused) {
    (void)unused;
    d = c;                                                 /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    int early = argc;                                      /* keep */
    int late = argc + 6;                                   /* drop */
    d = argc;                                              /* keep */
    c = argc;                                              /* keep */
    pthread_create(&copier, NULL, copy_c_to_d, NULL);      /* keep */
    give(early);                                           /* keep */
    int taken = d;                                         /* keep */
    give(late);                                            /* drop */
    pthread_join(copier, NULL);
    printf("slice: %d\n", taken);                          /* slice: taken */
    return 0;
}
