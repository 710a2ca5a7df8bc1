/* Two threads add to an atomic counter with one function; the other atomic is out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int hits;
static _Atomic int misses;

static void *shoot(void *argument) {
    int step = *(int *)argument;                           /* keep */
    atomic_fetch_add(&hits, step);                         /* keep */
    misses++;                                              /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t first, second;
    int first_step = argc + 1;                             /* keep */
    int second_step = argc + 4;                            /* keep */
    atomic_store(&hits, argc);                             /* keep */
    atomic_store(&misses, argc);                           /* drop */
    pthread_create(&first, NULL, shoot, &first_step);      /* keep */
    pthread_create(&second, NULL, shoot, &second_step);    /* keep */
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    int counted = atomic_load(&hits);                      /* keep */
    int missed = atomic_load(&misses);                     /* drop */
    printf("slice: %d\n", counted);                        /* slice: counted */
    printf("%d\n", missed);                                /* drop */
    return 0;
}
