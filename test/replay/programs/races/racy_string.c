/* A string is measured by libc while another thread writes it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[32] = "nobody";

static void *rename_it(void *argument) {
    name[2] = 'x'; /* race */
    return argument;
}

static void *measure(void *argument) {
    *(size_t *)argument = strlen(name); /* race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    size_t length = 0;
    pthread_create(&threads[0], NULL, rename_it, NULL);
    pthread_create(&threads[1], NULL, measure, &length);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%zu\n", length);
    return 0;
}
