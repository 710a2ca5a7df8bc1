/* Threads created in a loop add to one sum under a mutex, each with its own element of an array. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int largest;

static void *add(void *argument) {
    int value = *(int *)argument;                          /* keep */
    pthread_mutex_lock(&lock);
    sum = sum + value;                                     /* keep */
    if (value > largest)                                   /* drop */
        largest = value;                                   /* drop */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t threads[4];
    int values[4];
    int count = argc + 3;                                  /* keep */
    sum = argc;                                            /* keep */
    largest = argc - 1;                                    /* drop */
    for (int i = 0; i < count; i++) {                      /* keep */
        values[i] = argc + i;                              /* keep */
        pthread_create(&threads[i], NULL, add, &values[i]); /* keep */
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("slice: %d\n", sum);                            /* slice: sum */
    printf("%d\n", largest);                               /* drop */
    return 0;
}
