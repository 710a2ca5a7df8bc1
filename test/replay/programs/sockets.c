/* Sockets on the loopback interface, both ends in one process. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static void messages(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return;
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec parts[2] = {{"hello, ", 7}, {"world", 5}};
    struct msghdr out = {.msg_iov = parts,
                         .msg_iovlen = 2,
                         .msg_control = control,
                         .msg_controllen = sizeof control};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&out);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    int file = open("sent", O_CREAT | O_RDWR, 0600);
    memcpy(CMSG_DATA(rights), &file, sizeof file);
    printf("sendmsg %zd\n", sendmsg(pair[0], &out, 0));
    char left[5] = "", right[100], more[CMSG_SPACE(sizeof(int)) + 64];
    memset(right, 'x', sizeof right);
    struct iovec places[3] = {{left, 4}, {NULL, 0}, {right, sizeof right}};
    struct msghdr in = {.msg_iov = places,
                        .msg_iovlen = 3,
                        .msg_control = more,
                        .msg_controllen = sizeof more};
    ssize_t got = recvmsg(pair[1], &in, 0);
    int received = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&in);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&received, CMSG_DATA(header), sizeof received);
    printf("recvmsg %zd %s %.8s %c, control %zu, a file %d\n", got, left, right, right[8],
           (size_t)in.msg_controllen, received > file);
    printf("through it %zd\n", write(received, "text", 4));
    errno = 0;
    got = recvmsg(pair[1], &in, MSG_DONTWAIT);
    printf("again %zd %s\n", got, strerror(errno));
}

static int bound(int type, struct sockaddr_in *address) {
    socklen_t length = sizeof *address;
    int fd = socket(AF_INET, type, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bind(fd, (struct sockaddr *)address, sizeof *address);
    getsockname(fd, (struct sockaddr *)address, &length);
    return fd;
}

static void packets(void) {
    struct sockaddr_in server, client, from = {0};
    int one = bound(SOCK_DGRAM, &server), two = bound(SOCK_DGRAM, &client);
    char text[64] = "";
    socklen_t length = sizeof from;
    printf("sendto %zd\n", sendto(two, "ping", 4, 0, (struct sockaddr *)&server, sizeof server));
    ssize_t got = recvfrom(one, text, sizeof text, 0, (struct sockaddr *)&from, &length);
    printf("recvfrom %zd %s %u %d\n", got, text, length, from.sin_port == client.sin_port);
    struct iovec parts[2] = {{"first", 5}, {"second", 6}};
    struct mmsghdr out[2] = {
        {.msg_hdr = {&server, sizeof server, &parts[0], 1, NULL, 0, 0}},
        {.msg_hdr = {&server, sizeof server, &parts[1], 1, NULL, 0, 0}},
    };
    int sent = sendmmsg(two, out, 2, 0);
    printf("sendmmsg %d %u %u\n", sent, out[0].msg_len, out[1].msg_len);
    char texts[3][16] = {"", "", "untouched"};
    struct sockaddr_in senders[3] = {{0}};
    struct iovec places[3];
    struct mmsghdr in[3] = {{{0}, 0}};
    for (int i = 0; i < 3; i++) {
        places[i] = (struct iovec){texts[i], sizeof texts[i]};
        in[i].msg_hdr = (struct msghdr){&senders[i], sizeof senders[i], &places[i], 1, NULL, 0, 0};
    }
    int count = recvmmsg(one, in, 3, MSG_DONTWAIT, NULL);
    printf("recvmmsg %d %s %u %s %u %s %d\n", count, texts[0], in[0].msg_len, texts[1],
           in[1].msg_len, texts[2], senders[1].sin_port == client.sin_port);
    int size = 0;
    length = sizeof size;
    printf("getsockopt %d", getsockopt(one, SOL_SOCKET, SO_TYPE, &size, &length));
    printf(" %d %u\n", size == SOCK_DGRAM, length);
}

static void connections(void) {
    struct sockaddr_in server, peer;
    socklen_t length = sizeof peer;
    int listening = bound(SOCK_STREAM, &server);
    printf("listen %d\n", listen(listening, 5));
    int client = socket(AF_INET, SOCK_STREAM, 0);
    printf("connect %d\n", connect(client, (struct sockaddr *)&server, sizeof server));
    struct pollfd waiting = {.fd = listening, .events = POLLIN};
    printf("poll %d", poll(&waiting, 1, 1000));
    printf(" %d\n", waiting.revents);
    int accepted = accept(listening, (struct sockaddr *)&peer, &length);
    printf("accept %d %u %s\n", accepted > 2, length, inet_ntoa(peer.sin_addr));
    printf("send %zd\n", send(client, "request", 7, 0));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(accepted, &set);
    struct timeval timeout = {1, 0};
    printf("select %d", select(accepted + 1, &set, NULL, NULL, &timeout));
    printf(" %d\n", FD_ISSET(accepted, &set) != 0);
    char text[32] = "";
    printf("recv %zd", recv(accepted, text, sizeof text, 0));
    printf(" %s\n", text);
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0x1234567890};
    printf("epoll_ctl %d\n", epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event));
    printf("write %zd\n", write(accepted, "answer", 6));
    struct epoll_event events[4] = {{0}};
    printf("epoll_wait %d", epoll_wait(epoll, events, 4, 1000));
    printf(" %llx\n", (unsigned long long)events[0].data.u64);
    memset(text, 0, sizeof text);
    printf("read %zd", read(client, text, sizeof text));
    printf(" %s\n", text);
    printf("shutdown %d\n", shutdown(accepted, SHUT_RDWR));
    printf("end %zd\n", recv(client, text, sizeof text, 0));
    errno = 0;
    close(listening);
    int failed = connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&server,
                         sizeof server);
    printf("refused %d %s\n", failed, strerror(errno));
}

int main(void) {
    messages();
    packets();
    connections();
    return 0;
}
