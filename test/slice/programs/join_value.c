/* The thread returns a pointer to its result, and main gets it from the join. */
#include <pthread.h>
#include <stdio.h>

struct outcome {
    int value;
    int remark;
};

static struct outcome outcome;

static void *compute(void *argument) {
    int base = *(int *)argument;                           /* keep */
    outcome.value = base * 9;                              /* keep */
    outcome.remark = base - 9;                             /* drop */
    return &outcome;                                       /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    void *returned;
    int base = argc + 1;                                   /* keep */
    pthread_create(&thread, NULL, compute, &base);         /* keep */
    pthread_join(thread, &returned);                       /* keep */
    struct outcome *result = returned;                     /* keep */
    int value = result->value;                             /* keep */
    int remark = result->remark;                           /* drop */
    printf("slice: %d\n", value);                          /* slice: value */
    printf("%d\n", remark);                                /* drop */
    return 0;
}
