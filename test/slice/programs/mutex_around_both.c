/* Two threads add to one account under one mutex: both amounts are in, the count of bookings is out. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int account;
static int bookings;

static void *salary(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    pthread_mutex_lock(&lock);
    account = account + amount;                            /* keep */
    bookings = bookings + 1;                               /* drop */
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *rent(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    pthread_mutex_lock(&lock);
    account = account - amount;                            /* keep */
    bookings = bookings + 1;                               /* drop */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t earning, paying;
    int earned = argc + 50;                                /* keep */
    int paid = argc + 20;                                  /* keep */
    account = argc + 100;                                  /* keep */
    bookings = argc - 1;                                   /* drop */
    pthread_create(&earning, NULL, salary, &earned);       /* keep */
    pthread_create(&paying, NULL, rent, &paid);            /* keep */
    pthread_join(earning, NULL);
    pthread_join(paying, NULL);
    printf("slice: %d\n", account);                        /* slice: account */
    printf("%d\n", bookings);                              /* drop */
    return 0;
}
