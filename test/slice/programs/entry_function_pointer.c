/* The thread's function is chosen by a condition and passed through a starting function: both choices and the condition are in. */
#include <pthread.h>
#include <stdio.h>

static int result;

static void *negate(void *argument) {
    result = -*(int *)argument;                            /* keep */
    return NULL;
}

static void *square(void *argument) {
    result = *(int *)argument * *(int *)argument;          /* keep */
    return NULL;
}

static void start(pthread_t *thread, void *(*entry)(void *), int *value) {
    pthread_create(thread, NULL, entry, value);            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    void *(*entry)(void *);
    int value = argc + 2;                                  /* keep */
    int spare = argc + 3;                                  /* drop */
    if (argc > 3)                                          /* keep */
        entry = negate;                                    /* keep */
    else
        entry = square;                                    /* keep */
    start(&thread, entry, &value);                         /* keep */
    pthread_join(thread, NULL);
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d\n", spare);                                 /* drop */
    return 0;
}
