/* tss_set() and tss_get() in one thread. */
#include <stdio.h>
#include <threads.h>

static tss_t key;
static int result;
static int length;

static int fetch(void) {
    int *stored = tss_get(key);                            /* keep */
    return *stored;                                        /* keep */
}

static int work(void *argument) {
    int own = *(int *)argument + 3;                        /* keep */
    int spare = *(int *)argument + 4;                      /* drop */
    tss_set(key, &own);                                    /* keep */
    length = spare;                                        /* drop */
    result = fetch() + 1;                                  /* keep */
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    thrd_t worker;
    int start = argc + 1;                                  /* keep */
    tss_create(&key, NULL);                                /* keep */
    thrd_create(&worker, work, &start);                    /* keep */
    thrd_join(worker, NULL);
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d\n", length);                                /* drop */
    return 0;
}
