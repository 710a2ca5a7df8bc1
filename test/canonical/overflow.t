#!/bin/bash
# Stacks that are used up: reported by name, then death by SIGSEGV; handlers of
# the program's own on an alternate stack still run, again and again.
. "$(dirname "$0")/../lib/tap.sh"

cat >data.c <<'C'
#include <string.h>
static int f(int n) { char a[1000]; memset(a, n, sizeof a); return f(n + 1) + a[n % 1000]; }
int main(void) { return f(0); }
C
cat >machine.c <<'C'
/* Nothing but return addresses: no local lives in memory. */
int (*volatile next)(int);
__attribute__((noinline)) static int f(int n) { return next(n + 1) * 3 + n; }
int main(void) { next = f; return f(0); }
C
cat >large.c <<'C'
/* One frame larger than the stack, touched at its far end. */
#include <stdio.h>
__attribute__((noinline)) static int f(int n) { volatile char a[200 << 20]; a[n] = 1; return a[n] + n; }
int main(int argc, char **argv) { (void)argv; return f(argc - 1); }
C
cat >vla.c <<'C'
#include <alloca.h>
#include <string.h>
int main(int argc, char **argv) {
    unsigned long n = (unsigned long)argc << 32;
    volatile char *a = alloca(n);
    a[n / 2] = 1;
    return argv[0][0] + a[n / 2];
}
C
cat >thread.c <<'C'
#include <pthread.h>
#include <string.h>
static int f(int n) { char a[1000]; memset(a, n, sizeof a); return f(n + 1) + a[n % 1000]; }
static void *entry(void *p) { f(0); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, entry, 0); pthread_join(t, 0); return 0; }
C
cat >thread_machine.c <<'C'
#include <pthread.h>
int (*volatile next)(int);
__attribute__((noinline)) static int f(int n) { return next(n + 1) * 3 + n; }
static void *entry(void *p) { next = f; f(0); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, entry, 0); pthread_join(t, 0); return 0; }
C
cat >coroutine.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
static int f(int n) { char a[1000]; memset(a, n, sizeof a); return f(n + 1) + a[n % 1000]; }
static void entry(void) { f(0); }
int main(void) {
    ucontext_t a, b;
    getcontext(&a);
    a.uc_stack.ss_sp = malloc(1 << 20), a.uc_stack.ss_size = 1 << 20, a.uc_link = &b;
    makecontext(&a, entry, 0);
    swapcontext(&b, &a);
    return 0;
}
C
cat >recovers.c <<'C'
/* Catches its own overflows a few hundred times, of either stack. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
static _Thread_local sigjmp_buf env;
static volatile int handled;
static int g(int n) { char b[3000]; memset(b, n, sizeof b); return b[n % 3000] + (n ? g(n - 1) : 0); }
static void on_fault(int number) { char a[5000]; memset(a, number, sizeof a); handled += a[4999] == number && g(10) >= 0; siglongjmp(env, 1); }
static int f(int n) { char a[1000]; memset(a, n, sizeof a); return f(n + 1) + a[n % 1000]; }
int (*volatile next)(int);
__attribute__((noinline)) static int bare(int n) { return next(n + 1) * 3 + n; }
static void times(int rounds) {
    char guard[100];
    memset(guard, 5, sizeof guard);
    for (volatile int i = 0; i < rounds; i++) {
        if (sigsetjmp(env, 1) == 0)
            i % 2 ? bare(0) : f(0);
        for (int k = 0; k < 100; k++)
            if (guard[k] != 5)
                abort();
    }
}
static void *thread(void *p) {
    stack_t s = {.ss_sp = malloc(65536), .ss_size = 65536};
    sigaltstack(&s, NULL);
    times(60);
    return p;
}
int main(void) {
    stack_t s = {.ss_sp = malloc(65536), .ss_size = 65536};
    sigaltstack(&s, NULL);
    struct sigaction a = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &a, NULL);
    next = bare;
    times(300);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", handled);
    return 0;
}
C
cat >wild.c <<'C'
int main(void) { return *(volatile int *)16; }
C

segv=139
overflow() { # NAME TEXT
	local out
	for flags in -O0 '-O2' '-O2 -static'; do
		if ! "$RECUT_CC" $flags -pthread -w "$1.c" -o "$1" >.messages 2>&1 || [ -s .messages ]; then
			fail "$1 $flags builds" <.messages
			continue
		fi
		out=$(bash -c "ulimit -c 0; ulimit -s 4096; timeout 60 ./$1" 2>&1)
		same "$1 $flags dies by SIGSEGV" $? $segv
		out=$(grep -v 'Segmentation fault' <<<"$out")
		like "$1 $flags says why" "$out" "$2"
	done
}
overflow data 'recut: stack overflow: the data stack of thread 0 (16384 KiB) is used up'
overflow machine 'recut: stack overflow: the machine stack of thread 0 (4096 KiB) is used up'
overflow large 'recut: stack overflow: the data stack of thread 0*'
overflow vla 'recut: stack overflow: the data stack of thread 0*'
overflow thread 'recut: stack overflow: the data stack of thread 1*'
overflow thread_machine 'recut: stack overflow: the machine stack of thread 1 is used up'
overflow coroutine 'recut: stack overflow: *stack of thread 0*'
overflow wild ''

for flags in -O0 -O2; do
	ok "recovers $flags builds" "$RECUT_CC" $flags -w -pthread recovers.c -o recovers
	same "recovers $flags" "$(timeout 60 ./recovers 2>&1)" 420
done
ok 'data, with room' bash -c "ulimit -s unlimited; ulimit -c 0; ./wild; [ \$? = $segv ]"
finish
