/* A local of main's, whose address another thread has. */
#include <pthread.h>
#include <stdio.h>

static void *answer(void *argument) {
    *(int *)argument = 42; /* race */
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result = 0;
    pthread_create(&thread, NULL, answer, &result);
    int early = result; /* race */
    pthread_join(thread, NULL);
    printf("%d %d\n", early == 0 || early == 42, result);
    return 0;
}
