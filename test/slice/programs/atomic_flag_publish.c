/* The thread writes data and then sets an atomic flag; main takes the data once it sees the flag. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static int comment;
static atomic_int ready;

static void *publish(void *argument) {
    int fresh = *(int *)argument + 5;                      /* keep */
    data = fresh;                                          /* keep */
    comment = fresh + 1;                                   /* drop */
    atomic_store_explicit(&ready, 1, memory_order_release); /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t publisher;
    int got = 0;                                           /* keep */
    int order = argc + 1;                                  /* keep */
    pthread_create(&publisher, NULL, publish, &order);     /* keep */
    while (!got) {                                         /* keep */
        if (atomic_load_explicit(&ready, memory_order_acquire)) /* keep */
            got = data;                                    /* keep */
        sched_yield();
    }
    pthread_join(publisher, NULL);
    printf("slice: %d\n", got);                            /* slice: got */
    printf("%d\n", comment);                               /* drop */
    return 0;
}
