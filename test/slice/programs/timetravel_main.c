/* main reads d before it writes c, so the thread's copy of c to d can not bring that write into main's read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int c;
static atomic_int d;

static void *copy_c_to_d(void *unused) {
    (void)unused;
    d = c;                                                 /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    c = argc;                                              /* keep */
    d = argc;                                              /* keep */
    pthread_create(&copier, NULL, copy_c_to_d, NULL);      /* keep */
    int b = d;                                             /* keep */
    int late = argc + 8;                                   /* drop */
    c = late;                                              /* drop */
    pthread_join(copier, NULL);
    printf("slice: %d\n", b);                              /* slice: b */
    printf("%d\n", d > 0);                                 /* drop */
    return 0;
}
