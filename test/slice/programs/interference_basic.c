/* A thread writes what main reads while it runs: the write and what it is made from are in, as is the value from before. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int level;
static atomic_int noise;

static void *raise_level(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    int doubled = amount * 2;                              /* keep */
    level = doubled;                                       /* keep */
    noise = amount + 5;                                    /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int start = argc + 3;                                  /* keep */
    int amount = argc + 1;                                 /* keep */
    level = start;                                         /* keep */
    pthread_create(&thread, NULL, raise_level, &amount);   /* keep */
    int seen = level;                                      /* keep */
    pthread_join(thread, NULL);
    printf("slice: %d\n", seen);                           /* slice: seen */
    printf("%d\n", noise);                                 /* drop */
    return 0;
}
