/* The thread ends in pthread_exit inside a called function, or by return: both give the join its value. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int logged;

static void finish_with(int code) {
    pthread_exit((void *)(intptr_t)code);                  /* keep */
}

static void *run(void *argument) {
    int input = *(int *)argument;                          /* keep */
    int code = input + 30;                                 /* keep */
    int fallback = input + 60;                             /* keep */
    logged = input + 90;                                   /* drop */
    if (input > 1)                                         /* keep */
        finish_with(code);                                 /* keep */
    return (void *)(intptr_t)fallback;                     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    void *returned;
    int input = argc + 1;                                  /* keep */
    pthread_create(&thread, NULL, run, &input);            /* keep */
    pthread_join(thread, &returned);                       /* keep */
    int code = (int)(intptr_t)returned;                    /* keep */
    printf("slice: %d\n", code);                           /* slice: code */
    printf("%d\n", logged);                                /* drop */
    return 0;
}
