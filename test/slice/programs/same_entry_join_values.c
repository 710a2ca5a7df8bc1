/* Two threads run one function with values of their own: the first one's result does not depend on the second's argument. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *triple(void *argument) {
    int value = (int)(intptr_t)argument;                   /* keep */
    int product = value * 3;                               /* keep */
    return (void *)(intptr_t)product;                      /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t first, second;
    void *first_result;
    void *second_result;
    int left = argc + 1;                                   /* keep */
    int right = argc + 2;                                  /* drop */
    pthread_create(&first, NULL, triple, (void *)(intptr_t)left);   /* keep */
    pthread_create(&second, NULL, triple, (void *)(intptr_t)right); /* drop */
    pthread_join(first, &first_result);                    /* keep */
    pthread_join(second, &second_result);                  /* drop */
    int answer = (int)(intptr_t)first_result;              /* keep */
    int other = (int)(intptr_t)second_result;              /* drop */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d\n", other);                                 /* drop */
    return 0;
}
