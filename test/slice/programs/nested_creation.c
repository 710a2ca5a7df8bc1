/* A thread creates a thread, waits for it and goes on with its result. */
#include <pthread.h>
#include <stdio.h>

static int inner_result;
static int outer_result;
static int inner_extra;

static void *inner(void *argument) {
    int value = *(int *)argument;                          /* keep */
    inner_result = value + 3;                              /* keep */
    inner_extra = value + 4;                               /* drop */
    return NULL;
}

static void *outer(void *argument) {
    pthread_t inner_thread;
    int value = *(int *)argument * 2;                      /* keep */
    pthread_create(&inner_thread, NULL, inner, &value);    /* keep */
    pthread_join(inner_thread, NULL);
    int late = *(int *)argument * 9;                       /* drop */
    outer_result = inner_result * 10;                      /* keep */
    inner_result = late;                                   /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t outer_thread;
    int value = argc + 1;                                  /* keep */
    pthread_create(&outer_thread, NULL, outer, &value);    /* keep */
    pthread_join(outer_thread, NULL);
    printf("slice: %d\n", outer_result);                   /* slice: outer_result */
    printf("%d %d\n", inner_result, inner_extra);          /* drop */
    return 0;
}
