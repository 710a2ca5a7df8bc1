/* Whether the thread is created at all decides which value main reads after the join. */
#include <pthread.h>
#include <stdio.h>

static int height;
static int weight;

static void *grow(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    height = height + amount;                              /* keep */
    weight = weight + amount;                              /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc + 6;                                 /* keep */
    int wanted = argc < 5;                                 /* keep */
    height = argc + 1;                                     /* keep */
    weight = argc + 2;                                     /* drop */
    if (wanted) {                                          /* keep */
        pthread_create(&thread, NULL, grow, &amount);      /* keep */
        pthread_join(thread, NULL);
    }
    printf("slice: %d\n", height);                         /* slice: height */
    printf("%d\n", weight);                                /* drop */
    return 0;
}
