/* Which signals are blocked while a handler runs: those of its action, and those of the call that
 * it interrupts. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int seen;

static int look(void) {
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGCHLD) + 2 * sigismember(&now, SIGALRM) +
           4 * sigismember(&now, SIGUSR1) + 8 * sigismember(&now, SIGUSR2);
}

static void on_alarm(int number) {
    (void)number;
    seen = look();
}

static void arm(void) {
    struct itimerval once = {{0, 0}, {0, 30000}};
    seen = -1;
    setitimer(ITIMER_REAL, &once, NULL);
}

static void tell(const char *call, int result) {
    printf("%s: %d, in the handler %d, after it %d\n", call, result, seen, look());
}

int main(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    struct timespec time = {5, 0};
    struct epoll_event event;
    sigset_t during, before;
    int ends[2], epoll = epoll_create1(0);
    if (pipe(ends) != 0)
        return 1;
    struct pollfd poll = {.fd = ends[0], .events = POLLIN};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&during);
    sigaddset(&during, SIGCHLD);
    sigemptyset(&before);
    sigaddset(&before, SIGALRM);
    sigaddset(&before, SIGUSR2);

    arm();
    tell("pause", pause());
    sigprocmask(SIG_SETMASK, &before, NULL);
    arm();
    tell("ppoll", ppoll(&poll, 1, &time, &during));
    arm();
    tell("pselect", pselect(0, NULL, NULL, NULL, &time, &during));
    arm();
    tell("epoll_pwait", epoll_pwait(epoll, &event, 1, 5000, &during));
    arm();
    tell("sigsuspend", sigsuspend(&during));
    /* Nobody reads these: no signal is waited for, and all of it fails. */
    char *nowhere = (char *)0xdeadbeef;
    printf("accept: %d\n",
           accept(ends[0], (struct sockaddr *)(void *)nowhere, (socklen_t *)(void *)nowhere));
    return 0;
}
