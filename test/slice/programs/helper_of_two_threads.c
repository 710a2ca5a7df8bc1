/* Two threads call one helper: what the second one passes to it does not reach the first one's result. */
#include <pthread.h>
#include <stdio.h>

static int first_result;
static int second_result;

static int scale(int value, int factor) {
    int scaled = value * factor;                           /* keep */
    return scaled + 1;                                     /* keep */
}

static void *first_work(void *argument) {
    int value = *(int *)argument;                          /* keep */
    first_result = scale(value, value + 1);                /* keep */
    return NULL;
}

static void *second_work(void *argument) {
    int value = *(int *)argument;                          /* drop */
    second_result = scale(value, value + 2);               /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t first, second;
    int a = argc + 1;                                      /* keep */
    int b = argc + 2;                                      /* drop */
    pthread_create(&first, NULL, first_work, &a);          /* keep */
    pthread_create(&second, NULL, second_work, &b);        /* drop */
    pthread_join(first, NULL);
    pthread_join(second, NULL);                            /* drop */
    printf("slice: %d\n", first_result);                   /* slice: first_result */
    printf("%d\n", second_result);                         /* drop */
    return 0;
}
