/* System calls by their numbers: what they write, what they return, and how they fail. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static unsigned long sum(const void *memory, size_t size) {
    unsigned long hash = 5381;
    for (size_t i = 0; i < size; i++)
        hash = hash * 33 + ((const unsigned char *)memory)[i];
    return hash;
}

static void say(const char *what, long result, const void *memory, size_t size) {
    int error = result < 0 ? errno : 0;
    printf("%s: %ld %d %lx\n", what, result, error, memory ? sum(memory, size) : 0);
}

static void files(void) {
    char bytes[64], more[64];
    struct iovec parts[2] = {{bytes, 10}, {more, 20}};
    memset(bytes, 0, sizeof bytes);
    memset(more, 0, sizeof more);
    int from = open("input", O_RDONLY), to = open("output", O_RDWR | O_CREAT | O_TRUNC, 0600);
    loff_t at = 3;
    say("copy_file_range", syscall(SYS_copy_file_range, from, &at, to, NULL, 20, 0), &at,
        sizeof at);
    say("preadv", syscall(SYS_preadv, from, parts, 2, 1L, 0L), bytes, sizeof bytes);
    say("parts", 0, more, sizeof more);
    say("pwrite64", syscall(SYS_pwrite64, to, "hello", 5, 2L), NULL, 0);
    say("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, "output", 0640), NULL, 0);
    say("fadvise64", syscall(SYS_fadvise64, to, 0L, 10L, POSIX_FADV_DONTNEED), NULL, 0);
    say("readv", syscall(SYS_readv, from, parts, 2), more, sizeof more);
    int event = (int)syscall(SYS_eventfd2, 7, 0);
    uint64_t number = 0;
    say("eventfd2", event, NULL, 0);
    say("read", syscall(SYS_read, event, &number, sizeof number), &number, sizeof number);
    close(event), close(from), close(to);
}

static void sockets(void) {
    int ends[2];
    char bytes[2][16];
    struct iovec parts[2] = {{bytes[0], 16}, {bytes[1], 16}};
    struct mmsghdr messages[2];
    memset(messages, 0, sizeof messages);
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i < 2; i++)
        messages[i].msg_hdr.msg_iov = &parts[i], messages[i].msg_hdr.msg_iovlen = 1;
    say("socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, ends), ends, sizeof ends);
    say("sendto", syscall(SYS_sendto, ends[0], "one", 3, 0, NULL, 0), NULL, 0);
    say("sendto", syscall(SYS_sendto, ends[0], "three", 5, 0, NULL, 0), NULL, 0);
    say("recvmmsg", syscall(SYS_recvmmsg, ends[1], messages, 2, 0, NULL), bytes, sizeof bytes);
    printf("%u %u\n", messages[0].msg_len, messages[1].msg_len);
    struct pollfd poll = {.fd = ends[1], .events = POLLIN | POLLOUT};
    struct timespec left = {5, 0};
    say("ppoll", syscall(SYS_ppoll, &poll, 1, &left, NULL, 0), &poll, sizeof poll);
    say("left", left.tv_sec < 5 || left.tv_nsec == 0, &left, sizeof left);
    close(ends[0]), close(ends[1]);
}

/* More descriptors than the type has room for. */
static void large_sets(void) {
    struct rlimit limit = {FD_SETSIZE + 1, FD_SETSIZE + 1};
    long sets[FD_SETSIZE / 64 + 1];
    int ends[2];
    struct timeval now = {0, 0};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || pipe(ends) != 0 ||
        dup2(ends[0], FD_SETSIZE) != FD_SETSIZE)
        return;
    memset(sets, 0, sizeof sets);
    sets[FD_SETSIZE / 64] = -1;
    say("select", select(FD_SETSIZE + 1, (fd_set *)sets, NULL, NULL, &now), sets, sizeof sets);
    close(ends[0]), close(ends[1]), close(FD_SETSIZE);
}

/* Pointers that lead nowhere, to calls that say so. */
static void wild(void) {
    char *const nowhere[] = {(char *)0xdeadbeef, NULL};
    char *none = (char *)0xdeadbeef;
    say("open", open(none, O_RDONLY), NULL, 0);
    say("write", write(1, none, 10), NULL, 0);
    say("pipe", pipe((int *)(void *)none), NULL, 0);
    say("execve", execve("/proc/self/exe", (char **)(void *)none, NULL), NULL, 0);
    say("execve", execve("/proc/self/exe", nowhere, NULL), NULL, 0);
    say("writev", writev(1, (struct iovec *)(void *)none, 2), NULL, 0);
    say("fopen", fopen(none, "r") != NULL, NULL, 0);
    FILE *file = fopen("input", "r");
    say("freopen", freopen(none, "r", file) != NULL, NULL, 0);
    say("clock_gettime", syscall(SYS_clock_gettime, CLOCK_MONOTONIC, none), NULL, 0);
    say("a call that does not exist", syscall(9999), NULL, 0);
}

static atomic_int word;

static void *wait_and_wake(void *argument) {
    while (atomic_load(&word) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    printf("woken, %d\n", atomic_load(&word));
    atomic_store(&word, 2);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return argument;
}

static void threads(void) {
    pthread_t thread;
    struct timespec a_while = {0, 1000000};
    pthread_create(&thread, NULL, wait_and_wake, NULL);
    nanosleep(&a_while, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    while (atomic_load(&word) != 2)
        syscall(SYS_futex, &word, FUTEX_WAIT, 1, &a_while, NULL, 0);
    pthread_join(thread, NULL);
}

int main(void) {
    char attributes[48];
    memset(attributes, 0, sizeof attributes);
    files();
    sockets();
    wild();
    say("sched_getattr", syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0),
        attributes, sizeof attributes);
    say("times", 0, NULL, 0);
    fflush(stdout);
    threads();
    large_sets();
    return 0;
}
