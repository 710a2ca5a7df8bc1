/* main and a thread add to one sum under a spin lock; the other variable under the lock is out. */
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int sum;
static int rounds;

static void *add(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    pthread_spin_lock(&lock);
    sum = sum + amount;                                    /* keep */
    rounds = rounds + 1;                                   /* drop */
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t adder;
    int amount = argc + 7;                                 /* keep */
    int own = argc + 3;                                    /* keep */
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    sum = argc;                                            /* keep */
    pthread_create(&adder, NULL, add, &amount);            /* keep */
    pthread_spin_lock(&lock);
    sum = sum + own;                                       /* keep */
    pthread_spin_unlock(&lock);
    pthread_join(adder, NULL);
    printf("slice: %d\n", sum);                            /* slice: sum */
    printf("%d\n", rounds);                                /* drop */
    return 0;
}
