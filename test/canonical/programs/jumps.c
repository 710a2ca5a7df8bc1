/* setjmp and longjmp: across frames, thousands of times, with live VLAs, in
 * loops, nested, with values 0 and others, sigsetjmp with and without mask. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env, inner;

static void deep(int n, int code) {
    char frame[200];
    memset(frame, n, sizeof frame);
    if (n == 0)
        longjmp(env, code);
    deep(n - 1, code);
    if (frame[0] != (char)n)
        abort();
}

static int thousands(void) {
    volatile int rounds = 0;
    char guard[64];
    memset(guard, 42, sizeof guard);
    int got = setjmp(env);
    if (got)
        rounds++;
    for (int i = 0; i < 64; i++)
        if (guard[i] != 42)
            return -1;
    if (rounds < 20000)
        deep(20 + rounds % 10, rounds + 1);
    return rounds;
}

static int in_loop(void) {
    int s = 0;
    for (volatile int i = 0; i < 5000; i++) {
        jmp_buf here;
        int value = setjmp(here);
        if (value == 0) {
            int n = i % 100 + 1;
            char vla[n];
            memset(vla, 1, (size_t)n);
            if (vla[n - 1] == 1)
                longjmp(here, 3);
        }
        if (value != 3)
            return -1;
    }
    return s;
}

static int with_vla(int n) {
    int before[n];
    for (int i = 0; i < n; i++)
        before[i] = i;
    volatile int times = 0;
    if (setjmp(env) < 5) {
        int after[n * 2];
        after[n] = ++times;
        deep(5, times + after[n] - times);
    }
    int s = 0;
    for (int i = 0; i < n; i++)
        s += before[i];
    return s * 10 + times;
}

static void thrower(int level) {
    if (level == 0)
        longjmp(inner, 1);
    thrower(level - 1);
}

static int nested(void) {
    volatile int outer_hits = 0, inner_hits = 0;
    if (setjmp(env) == 0) {
        for (int i = 0; i < 3; i++)
            if (setjmp(inner) == 0)
                thrower(10);
            else
                inner_hits++;
        deep(3, 9);
    } else {
        outer_hits++;
    }
    return outer_hits * 10 + inner_hits;
}

static sigjmp_buf sig_env;
static void on_signal(int number) { siglongjmp(sig_env, number); }

static int signals(int save) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    volatile int n = 0;
    char local[100];
    memset(local, 7, sizeof local);
    while (n < 3000) {
        if (sigsetjmp(sig_env, save) == 0) {
            char more[50];
            memset(more, 1, sizeof more);
            raise(SIGUSR1);
            return -1;
        }
        if (!save) {
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, SIGUSR1);
            sigprocmask(SIG_UNBLOCK, &set, NULL);
        }
        for (int i = 0; i < 100; i++)
            if (local[i] != 7)
                return -2;
        n++;
    }
    return n;
}

/* A function that sets a jump and has no locals in memory of its own. */
static jmp_buf bare_env;
static int bare(void) { return setjmp(bare_env); }
static __attribute__((noinline)) int bare_user(int n) {
    char text[32];
    int volatile hits = 0;
    snprintf(text, sizeof text, "%d", n);
    if (bare() == 0 && hits++ == 0)
        return (int)strlen(text) + hits;
    return -1;
}

int main(void) {
    printf("%d\n", thousands());
    printf("%d\n", in_loop());
    printf("%d\n", with_vla(50));
    printf("%d\n", nested());
    printf("%d %d\n", signals(1), signals(0));
    printf("%d\n", bare_user(1234));
    int r = setjmp(env);
    if (r == 0)
        longjmp(env, 0);
    printf("%d\n", r);
    return 0;
}
