/* Signals that come from outside, at any time. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, others;
static volatile unsigned long at, trail;

static void on_alarm(int number) {
    alarms++;
    trail = trail * 31 + at + (unsigned)number; /* where the program was */
}

static void on_info(int number, siginfo_t *info, void *context) {
    others++;
    trail = trail * 17 + (unsigned)info->si_code + (unsigned)info->si_pid + (context != NULL) +
            (unsigned)number;
}

static void every(long microseconds) {
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Between calls. */
static void calls(void) {
    every(300);
    for (at = 0; alarms < 40; at++)
        trail = trail * 3 + (unsigned)getppid() % 2 + (unsigned)access("/", F_OK);
    every(0);
    printf("calls: alarms %d, trail %lx\n", (int)alarms, trail);
}

/* In a call that waits. */
static void waits(void) {
    alarms = 0;
    int interrupted = 0, ends[2];
    if (pipe(ends) != 0)
        exit(1);
    struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART */
    sigaction(SIGALRM, &action, NULL);
    every(2000);
    while (alarms < 5) {
        char byte;
        if (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            interrupted++;
    }
    every(0);
    printf("waits: alarms %d, interrupted %d, trail %lx\n", (int)alarms, interrupted > 0, trail);
}

static sigjmp_buf back;
static void on_jump(int number) { siglongjmp(back, number); }

/* Out of a handler. */
static void jumps(void) {
    signal(SIGUSR1, on_jump);
    volatile int jumped = 0, stays = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 20; i++) {
            usleep(1000);
            kill(parent, SIGUSR1);
        }
        _exit(7);
    }
    if (sigsetjmp(back, 1))
        jumped++;
    int status = 0;
    while (waitpid(child, &status, 0) != child && errno != ECHILD)
        stays++;
    printf("jumps: %d, status %d\n", jumped > 0, WEXITSTATUS(status));
    trail = trail * 31 + (unsigned)jumped;
}

/* What the kernel says of it; a child that ends; one signal while another's handler runs. */
static void tells(void) {
    struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGCHLD, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    for (int i = 0; i < 5; i++) {
        int before = others;
        pid_t parent = getpid(), child = fork();
        if (child == 0) {
            union sigval value = {.sival_int = i};
            sigqueue(parent, SIGUSR2, value);
            _exit(i);
        }
        while (others < before + 2)
            trail = trail * 5 + (unsigned)access("/none", F_OK);
        int status;
        waitpid(child, &status, 0);
        trail = trail * 31 + (unsigned)WEXITSTATUS(status);
    }
    printf("tells: others %d, trail %lx\n", (int)others, trail);
}

/* A storm. */
static void storm(void) {
    signal(SIGALRM, on_alarm);
    alarms = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 20000; i++)
            kill(parent, SIGALRM);
        _exit(0);
    }
    int status;
    while (waitpid(child, &status, WNOHANG) == 0)
        at++;
    printf("storm: %d, trail %lx\n", alarms > 0, trail);
}

/* More than fit into any queue, each with a value: none is lost, and the order is kept. */
static volatile int values, last = -1, is_wrong;
static void on_value(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    is_wrong |= info->si_value.sival_int != last + 1;
    last = info->si_value.sival_int;
    values++;
    trail = trail * 31 + at;
}

static void floods(void) {
    struct sigaction action = {.sa_sigaction = on_value, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN + 3, &action, NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 2000; i++) {
            union sigval value = {.sival_int = i};
            sigqueue(parent, SIGRTMIN + 3, value);
        }
        _exit(0);
    }
    volatile unsigned long work = 0;
    for (at = 0; values < 2000; at++)
        for (int i = access("/", F_OK); i < 3000; i++)
            work++;
    while (waitpid(child, NULL, 0) != child)
        ;
    printf("floods: values %d, wrong %d, trail %lx\n", values, is_wrong, trail);
}

/* A handler that keeps another signal out. */
static volatile int is_inside, is_broken;
static void on_outer(int number) {
    is_broken |= is_inside;
    is_inside = 1;
    for (int i = 0; i < 20; i++)
        trail = trail * 3 + (unsigned)access("/", F_OK) + (unsigned)number;
    is_inside = 0;
    alarms++;
}
static void on_inner(int number) {
    is_broken |= is_inside;
    trail = trail * 7 + at + (unsigned)number;
    others++;
}

static void nests(void) {
    struct sigaction outer = {.sa_handler = on_outer}, inner = {.sa_handler = on_inner};
    sigaddset(&outer.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &outer, NULL);
    sigaction(SIGUSR2, &inner, NULL);
    alarms = others = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 3000; i++)
            kill(parent, i % 2 ? SIGUSR1 : SIGUSR2);
        _exit(0);
    }
    int status;
    for (at = 0; waitpid(child, &status, WNOHANG) == 0; at++)
        for (volatile int i = 0; i < 100; i++)
            ;
    printf("nests: %d %d, broken %d, trail %lx\n", alarms > 0, others > 0, is_broken, trail);
}

/* Between calls that leave nothing in the log. */
static void silent(void) {
    unsigned long draws = 0;
    signal(SIGALRM, on_alarm);
    alarms = 0;
    every(300);
    for (at = 0; alarms < 40; at++)
        draws = draws * 31 + (unsigned)rand();
    every(0);
    printf("silent: alarms %d, at %lx, draws %lx, trail %lx\n", (int)alarms, at, draws, trail);
}

/* Where no call is made at all. */
static void computes(void) {
    signal(SIGALRM, on_alarm);
    alarms = 0;
    every(5000);
    for (at = 0; alarms < 20; at++)
        trail = trail * 3 + 1;
    every(0);
    printf("computes: alarms %d, at %lx, trail %lx\n", (int)alarms, at, trail);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"calls", calls},   {"waits", waits}, {"jumps", jumps},
                 {"tells", tells},   {"storm", storm}, {"computes", computes},
                 {"floods", floods}, {"nests", nests}, {"silent", silent}};
    signal(SIGALRM, on_alarm);
    for (int i = 1; i < count; i++)
        for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++)
            if (strcmp(arguments[i], parts[k].name) == 0)
                parts[k].run();
    return 0;
}
