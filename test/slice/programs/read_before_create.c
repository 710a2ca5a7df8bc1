/* main reads before it creates the thread, so the thread's write comes too late. */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *change(void *argument) {
    int amount = *(int *)argument;                         /* drop */
    shared = amount;                                       /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc + 40;                                /* drop */
    shared = argc + 5;                                     /* keep */
    int seen = shared;                                     /* keep */
    pthread_create(&thread, NULL, change, &amount);        /* drop */
    pthread_join(thread, NULL);                            /* drop */
    int later = shared;                                    /* drop */
    printf("slice: %d\n", seen);                           /* slice: seen */
    printf("%d\n", later);                                 /* drop */
    return 0;
}
