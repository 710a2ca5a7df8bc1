/* Signal handlers that interrupt code full of locals; nested; with siginfo; on
 * an alternate stack; blocked and pending ones. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, nested, infos, on_alternate;

static int use_locals(int seed, int depth) {
    unsigned char a[256];
    int b[16], n = 20 + seed % 30;
    unsigned short c[n];
    memset(a, seed, sizeof a);
    for (int i = 0; i < 16; i++)
        b[i] = seed ^ i;
    for (int i = 0; i < n; i++)
        c[i] = (unsigned short)(seed + i);
    int below = depth ? use_locals(seed + 1, depth - 1) : 0;
    for (int i = 0; i < 256; i++)
        if (a[i] != (unsigned char)seed)
            return 1;
    for (int i = 0; i < 16; i++)
        if (b[i] != (seed ^ i))
            return 1;
    for (int i = 0; i < n; i++)
        if (c[i] != (unsigned short)(seed + i))
            return 1;
    return below;
}

static void on_alarm(int number) {
    char junk[512];
    memset(junk, 0xee, sizeof junk);
    alarms += junk[511] != 0 && number == SIGALRM;
    if (use_locals(99, 2))
        _exit(3);
}

static void on_usr1(int number) {
    char junk[300];
    memset(junk, number, sizeof junk);
    nested++;
    if (nested < 5)
        raise(SIGUSR1);
    for (int i = 0; i < 300; i++)
        if (junk[i] != number)
            _exit(4);
}

static void on_usr2(int number, siginfo_t *info, void *context) {
    int local[20] = {number};
    infos += info->si_value.sival_int + (context != NULL) + local[19];
}

static char *alternate;
static void on_stack(int number) {
    char here[16];
    char *frame = __builtin_frame_address(0);
    here[0] = (char)number;
    on_alternate += frame > alternate && frame < alternate + 65536 && here[0] != 0;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    long rounds = 0;
    while (alarms < 300)
        for (int i = 0; i < 50; i++, rounds++)
            if (use_locals((int)rounds, 5))
                return printf("locals were overwritten\n"), 1;
    setitimer(ITIMER_REAL, &never, NULL);
    printf("storm survived\n");

    action = (struct sigaction){.sa_handler = on_usr1, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("%d\n", nested);

    action = (struct sigaction){.sa_sigaction = on_usr2, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR2, &action, NULL);
    sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 41});
    printf("%d\n", infos);

    alternate = malloc(65536);
    stack_t stack = {.ss_sp = alternate, .ss_size = 65536}, old;
    sigaltstack(&stack, NULL);
    action = (struct sigaction){.sa_handler = on_stack, .sa_flags = SA_ONSTACK};
    sigaction(SIGHUP, &action, NULL);
    raise(SIGHUP);
    sigaltstack(NULL, &old);
    printf("%d %d\n", on_alternate, old.ss_sp == alternate);

    sigset_t set, waiting;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    nested = 4;
    raise(SIGUSR1);
    sigpending(&waiting);
    printf("%d %d\n", sigismember(&waiting, SIGUSR1), nested);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d\n", nested);

    struct sigaction seen;
    sigaction(SIGSEGV, NULL, &seen);
    printf("%d\n", seen.sa_handler == SIG_DFL);
    printf("%d\n", signal(SIGSEGV, SIG_IGN) == SIG_DFL);
    printf("%d\n", signal(SIGSEGV, SIG_DFL) == SIG_IGN);
    printf("%d\n", signal(SIGTERM, on_stack) == SIG_DFL);
    printf("%d\n", signal(SIGTERM, SIG_DFL) == on_stack);
    return 0;
}
