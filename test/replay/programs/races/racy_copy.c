/* A message is copied as a whole while a part of it changes. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct message {
    char text[56];
    int length;
} message;

static void *send(void *argument) {
    message.length = 5; /* race */
    return argument;
}

static void *receive(void *argument) {
    memcpy(argument, &message, sizeof message); /* race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct message got;
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, &got);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", got.length == 0 || got.length == 5);
    return 0;
}
