/* The value goes through a pipe from the thread to main. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static int sent;

static void *send_message(void *argument) {
    int message = *(int *)argument * 6;                    /* keep */
    write(ends[1], &message, sizeof message);              /* keep */
    sent = message + 1;                                    /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t sender;
    int received = 0;
    int base = argc + 3;                                   /* keep */
    int other = argc + 8;                                  /* drop */
    pipe(ends);                                            /* keep */
    pthread_create(&sender, NULL, send_message, &base);    /* keep */
    read(ends[0], &received, sizeof received);             /* keep */
    int answer = received + 1;                             /* keep */
    pthread_join(sender, NULL);
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d %d\n", sent, other);                        /* drop */
    return 0;
}
