/* Signals that a program sends to itself, and the handlers it sees. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got[65], order;
static volatile sig_atomic_t queued;
static char *kept;

static void on_signal(int number) {
    got[number]++;
    order = order * 10 + number % 10;
    free(kept);
    kept = malloc(32);
    snprintf(kept, 32, "signal %d", number);
}

static void on_info(int number, siginfo_t *info, void *context) {
    (void)context;
    got[number] += info->si_signo == number ? 100 : 1000;
    queued = info->si_code == SI_QUEUE ? info->si_value.sival_int : -1;
}

static const int fatal[] = {SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGSEGV, SIGTERM};

static void handlers(void) {
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction old, mine = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
        int asked = sigaction(fatal[i], NULL, &old);
        printf("%d: %d %d %x;", fatal[i], asked, old.sa_handler == SIG_DFL, old.sa_flags);
        sigaction(fatal[i], &mine, &old);
        printf(" %d", old.sa_handler == SIG_DFL);
        sigaction(fatal[i], NULL, &old);
        printf(" %d %d", old.sa_handler == on_signal, (old.sa_flags & SA_NODEFER) != 0);
        raise(fatal[i]);
        kill(getpid(), fatal[i]);
        printf(" %d", got[fatal[i]]);
        printf(" %d", signal(fatal[i], SIG_DFL) == on_signal);
        sigaction(fatal[i], NULL, &old);
        printf(" %d\n", old.sa_handler == SIG_DFL);
    }
    puts(kept);
}

static jmp_buf back;
static void on_abort(int number) { longjmp(back, number); }

static __attribute__((noinline)) void survives(void) {
    signal(SIGABRT, on_abort);
    if (setjmp(back) == 0)
        abort();
    puts("abort survived");
}

static __attribute__((noinline)) void blocked(void) {
    struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
    sigset_t set, old;
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGUSR2, on_signal);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    printf("kill %d", kill(getpid(), SIGUSR1));
    printf(" %d", got[SIGUSR1]);
    sigpending(&set);
    printf(" %d", sigismember(&set, SIGUSR1));
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf(" %d\n", got[SIGUSR1]);
    printf("tgkill %d", tgkill(getpid(), gettid(), SIGUSR2));
    printf(" %d\n", got[SIGUSR2]);
    union sigval value = {.sival_int = 77};
    printf("sigqueue %d", sigqueue(getpid(), SIGUSR1, value));
    printf(" %d %d\n", got[SIGUSR1], queued);
    errno = 0;
    int bad = kill(getpid(), 99);
    printf("bad %d %s\n", bad, strerror(errno));
    printf("probe %d\n", kill(getpid(), 0));
    errno = 0;
    bad = sigaction(SIGKILL, &action, NULL);
    printf("sigkill %d %s\n", bad, strerror(errno));
    signal(SIGPIPE, SIG_IGN);
    int pipes[2];
    if (pipe(pipes) == 0)
        close(pipes[0]);
    errno = 0;
    ssize_t written = write(pipes[1], "x", 1);
    printf("pipe %zd %s\n", written, strerror(errno));
}

int main(int argc, char **argv) {
    handlers();
    survives();
    blocked();
    printf("order %d\n", order);
    fflush(stdout);
    signal(SIGABRT, SIG_DFL);
    if (argc > 1)
        kill(getpid(), atoi(argv[1]));
    return 0;
}
