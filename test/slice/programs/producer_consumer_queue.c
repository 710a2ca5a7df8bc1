/* A producer thread puts items into a queue, and main takes them out and adds them up. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER;
static int slots[8];
static int head, tail;
static int produced;

static void *produce(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    for (int i = 0; i < amount; i++) {                     /* keep */
        int item = amount * 10 + i;                        /* keep */
        pthread_mutex_lock(&lock);
        slots[tail] = item;                                /* keep */
        tail = tail + 1;                                   /* keep */
        produced = produced + item;                        /* drop */
        pthread_cond_signal(&added);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t producer;
    int amount = argc + 2;                                 /* keep */
    int sum = argc;                                        /* keep */
    int taken = argc - 1;                                  /* drop */
    pthread_create(&producer, NULL, produce, &amount);     /* keep */
    for (int i = 0; i < amount; i++) {                     /* keep */
        pthread_mutex_lock(&lock);
        while (head == tail)
            pthread_cond_wait(&added, &lock);
        sum = sum + slots[head];                           /* keep */
        head = head + 1;                                   /* keep */
        taken = taken + 1;                                 /* drop */
        pthread_mutex_unlock(&lock);
    }
    pthread_join(producer, NULL);
    printf("slice: %d\n", sum);                            /* slice: sum */
    printf("%d %d\n", taken, produced);                    /* drop */
    return 0;
}
