/* The value goes through a socket pair from main to the thread, which prints it. */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

struct packet {
    int number;
    int size;
};

static int sockets[2];

static void *receive(void *unused) {
    (void)unused;
    struct packet packet = { 0, 0 };
    recv(sockets[1], &packet, sizeof packet, MSG_WAITALL); /* keep */
    int number = packet.number;                            /* keep */
    int next = packet.size + 1;                            /* drop */
    printf("slice: %d\n", number);                         /* slice: number */
    printf("%d\n", next);                                  /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t receiver;
    struct packet packet;
    int spare = argc + 5;                                  /* drop */
    packet.size = argc + 2;
    packet.number = argc + 11;                             /* keep */
    socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);          /* keep */
    pthread_create(&receiver, NULL, receive, NULL);        /* keep */
    send(sockets[0], &packet, sizeof packet, 0);           /* keep */
    pthread_join(receiver, NULL);
    printf("%d\n", spare);                                 /* drop */
    return 0;
}
