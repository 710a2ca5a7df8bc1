/* A thread that shares nothing with the value is out together with its creation. */
#include <pthread.h>
#include <stdio.h>

static int wanted;
static int unwanted;

static void *compute_wanted(void *argument) {
    int base = *(int *)argument;                           /* keep */
    wanted = base + 2;                                     /* keep */
    return NULL;
}

static void *compute_unwanted(void *argument) {
    int base = *(int *)argument;                           /* drop */
    for (int i = 0; i < base; i++)                         /* drop */
        unwanted = unwanted + i;                           /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t related, unrelated;
    int base = argc + 1;                                   /* keep */
    int other_base = argc + 3;                             /* drop */
    pthread_create(&related, NULL, compute_wanted, &base); /* keep */
    pthread_create(&unrelated, NULL, compute_unwanted, &other_base); /* drop */
    pthread_join(related, NULL);
    pthread_join(unrelated, NULL);                         /* drop */
    printf("slice: %d\n", wanted);                         /* slice: wanted */
    printf("%d\n", unwanted);                              /* drop */
    return 0;
}
