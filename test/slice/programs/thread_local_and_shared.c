/* The thread counts in a variable of its own and hands the count over in a shared one; main's own copy of the counter plays no part. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int counter;
static int handed_over;

static void count_up(int step) {
    counter = counter + step;                              /* keep */
}

static void *count(void *argument) {
    int step = *(int *)argument;                           /* keep */
    counter = step + 10;                                   /* keep */
    count_up(step);                                        /* keep */
    handed_over = counter;                                 /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t counting;
    int step = argc + 1;                                   /* keep */
    int own = argc + 30;                                   /* drop */
    counter = own;                                         /* drop */
    pthread_create(&counting, NULL, count, &step);         /* keep */
    pthread_join(counting, NULL);
    printf("slice: %d\n", handed_over);                    /* slice: handed_over */
    printf("%d\n", counter);                               /* drop */
    return 0;
}
