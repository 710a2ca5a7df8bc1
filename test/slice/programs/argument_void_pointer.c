/* The thread gets a struct through void *: only the fields it makes the result of are in. */
#include <pthread.h>
#include <stdio.h>

struct request {
    int left;
    int right;
    int comment;
    int sum;
};

static void *answer(void *argument) {
    struct request *request = argument;                    /* keep */
    int left = request->left;                              /* keep */
    int right = request->right;                            /* keep */
    request->comment = left;                               /* drop */
    request->sum = left + right;                           /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    struct request request;
    request.left = argc + 1;                               /* keep */
    request.right = argc + 2;                              /* keep */
    request.comment = argc + 3;                            /* drop */
    request.sum = 0;
    pthread_create(&thread, NULL, answer, &request);       /* keep */
    pthread_join(thread, NULL);
    int sum = request.sum;                                 /* keep */
    int comment = request.comment;                         /* drop */
    printf("slice: %d\n", sum);                            /* slice: sum */
    printf("%d\n", comment);                               /* drop */
    return 0;
}
