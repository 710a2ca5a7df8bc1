/* A function that starts a thread, called twice: two threads, each with its own work. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct work {
    pthread_t thread;
    int (*step)(int);
    int value;
};

static int add_one(int value) {
    return value + 1;                                        /* keep */
}

static int negate(int value) {
    return -value;                                           /* drop */
}

static void *run(void *argument) {
    struct work *work = argument;                            /* keep */
    work->value = work->step(work->value);                   /* keep */
    return NULL;
}

static struct work *start(int (*step)(int), int value) {
    struct work *made = malloc(sizeof *made);                /* keep */
    made->step = step;                                       /* keep */
    made->value = value;                                     /* keep */
    pthread_create(&made->thread, NULL, run, made);          /* keep */
    return made;                                             /* keep */
}

static int finish(struct work *work) {
    pthread_join(work->thread, NULL);                        /* keep */
    return work->value;                                      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int wanted = argc + 1;                                   /* keep */
    int other = argc + 2;                                    /* drop */
    struct work *a = start(add_one, wanted);                 /* keep */
    struct work *b = start(negate, other);                   /* drop */
    int x = finish(a);                                       /* keep */
    int y = finish(b);                                       /* drop */
    printf("slice: %d\n", x);                                /* slice: x */
    printf("%d\n", y);                                       /* drop */
    return 0;
}
