/* A recursive function runs in the thread and reads what main writes beside it; its call counter is out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int step;
static int result;
static int calls;

static int climb(int height) {
    calls = calls + 1;                                     /* drop */
    if (height <= 0)                                       /* keep */
        return 0;                                          /* keep */
    int below = climb(height - 1);                         /* keep */
    return below + step;                                   /* keep */
}

static void *work(void *argument) {
    int height = *(int *)argument;                         /* keep */
    result = climb(height);                                /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t worker;
    int height = argc + 4;                                 /* keep */
    step = argc + 1;                                       /* keep */
    pthread_create(&worker, NULL, work, &height);          /* keep */
    step = argc * 2;                                       /* keep */
    pthread_join(worker, NULL);
    step = argc + 20;                                      /* drop */
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d %d\n", calls, step);                        /* drop */
    return 0;
}
