/* The count of the semaphore itself is the value: how often the thread posts decides it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t tickets;
static int printed;

static void *issue(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    for (int i = 0; i < amount; i++)                       /* keep */
        sem_post(&tickets);                                /* keep */
    printed = amount + 9;                                  /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t issuer;
    int left = -1;
    int amount = argc + 2;                                 /* keep */
    sem_init(&tickets, 0, 0);                              /* keep */
    pthread_create(&issuer, NULL, issue, &amount);         /* keep */
    pthread_join(issuer, NULL);
    sem_getvalue(&tickets, &left);                         /* keep */
    printf("slice: %d\n", left);                           /* slice: left */
    printf("%d\n", printed);                               /* drop */
    return 0;
}
