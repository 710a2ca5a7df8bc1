/* Two threads run one function, each with a struct of its own; the field nobody asks for is out. */
#include <pthread.h>
#include <stdio.h>

struct job {
    int input;
    int result;
    int checks;
};

static void *work(void *argument) {
    struct job *job = argument;                            /* keep */
    int doubled = job->input * 2;                          /* keep */
    job->result = doubled;                                 /* keep */
    job->checks = job->input + 7;                          /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t first_thread, second_thread;
    struct job first, second;
    first.input = argc + 1;                                /* keep */
    second.input = argc + 2;
    pthread_create(&first_thread, NULL, work, &first);     /* keep */
    pthread_create(&second_thread, NULL, work, &second);
    pthread_join(first_thread, NULL);
    pthread_join(second_thread, NULL);
    int answer = first.result;                             /* keep */
    int other = second.result;                             /* drop */
    int checks = first.checks + second.checks;             /* drop */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d %d\n", other, checks);                      /* drop */
    return 0;
}
