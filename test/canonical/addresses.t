#!/bin/bash
# Every kind of object has the same address in every run: with randomisation on
# and off, in threads and coroutines, whatever the environment holds.
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache # for all runs: it is part of the environment that the probe shows

cat >probe.c <<'C'
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define SHOW(what, address) printf("%-24s %p\n", what, (void *)(address))
struct large { long a[50]; };
static struct large global_large;
int global = 1, zero;
static int private = 2;
static const int constant = 3;
_Thread_local int local_to_thread = 4;
static _Thread_local char buffer[5000];

__attribute__((noinline)) static void by_value(struct large l) { SHOW("byval", &l); }
__attribute__((noinline)) static struct large returned(void) { struct large l = {{1}}; SHOW("sret local", &l); return l; }
__attribute__((noinline)) static void recursive(int n) { int here = n; SHOW("local, deeper", &here); if (n) recursive(n - 1); }
static void on_signal(int number) { int here = number; SHOW("local of a handler", &here); }
static void *thread(void *name) {
    int here = 0;
    SHOW(name, &here);
    SHOW("its thread-local", &local_to_thread);
    SHOW("its heap", malloc(100));
    return NULL;
}
static ucontext_t main_context, context;
static void coroutine(void) { int here = 0; SHOW("local of a coroutine", &here); }

int main(int argc, char **argv, char **envp) {
    setvbuf(stdout, NULL, _IONBF, 0);
    static int in_function = 5;
    int here = argc, array[10] = {0};
    char vla[argc * 100];
    void *on_stack = alloca((size_t)argc * 50);
    memset(vla, 0, sizeof vla);
    SHOW("global", &global);
    SHOW("zero", &zero);
    SHOW("static", &private);
    SHOW("static in a function", &in_function);
    SHOW("constant", &constant);
    SHOW("string literal", "literal");
    SHOW("function", main);
    SHOW("libc's function", printf);
    SHOW("local", &here);
    SHOW("array", array);
    SHOW("VLA", vla);
    SHOW("alloca", on_stack);
    SHOW("compound literal", ((int[]){1, 2}));
    SHOW("thread-local", &local_to_thread);
    SHOW("thread-local array", buffer);
    SHOW("malloc", malloc(10));
    SHOW("malloc, large", malloc(10 << 20));
    SHOW("calloc", calloc(3, 7));
    SHOW("realloc", realloc(malloc(5), 5000));
    SHOW("strdup", strdup("text"));
    char *printed;
    if (asprintf(&printed, "%d", 5) > 0)
        SHOW("asprintf", printed);
    SHOW("aligned_alloc", aligned_alloc(256, 256));
    SHOW("getcwd", getcwd(NULL, 0));
    SHOW("mmap", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    SHOW("mmap of a file", mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    SHOW("sbrk", sbrk(100));
    by_value(global_large);
    global_large = returned();
    recursive(2);
    SHOW("&stdout", &stdout);
    SHOW("&environ", &environ);
    SHOW("&optarg", &optarg);
    SHOW("machine stack", __builtin_frame_address(0));
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, thread, "local of a thread");
        pthread_join(t, NULL);
    }
    getcontext(&context);
    context.uc_stack.ss_sp = malloc(65536), context.uc_stack.ss_size = 65536, context.uc_link = &main_context;
    makecontext(&context, coroutine, 0);
    swapcontext(&main_context, &context);
    SHOW("argv (arguments)", argv);
    SHOW("argv[0] (arguments)", argv[0]);
    SHOW("argv[1] (arguments)", argv[1]);
    SHOW("envp (arguments)", envp);
    SHOW("envp[0] (arguments)", envp[0]);
    SHOW("invocation (arguments)", program_invocation_name);
    return 0;
}
C

# How many different outputs do these runs have?
different() { for _ in $(seq "$1"); do "${@:2}" | cksum; done | sort -u | wc -l; }

[ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ] || echo '# randomisation is off on this machine'
for flags in -O0 '-O0 -g' -O2 '-O2 -static' '-O3 -g'; do
	if ! "$RECUT_CC" -w $flags -pthread probe.c -o probe >.messages 2>&1 || [ -s .messages ]; then
		fail "probe $flags builds" <.messages
		continue
	fi
	./probe one two >first
	ok "probe $flags runs to its end" grep -q invocation first
	same "20 runs, $flags" "$(different 20 ./probe one two)" 1
	same "without randomisation, $flags" "$(setarch -R ./probe one two)" "$(cat first)"
	same "another environment, $flags" \
		"$(env -i A=1 "B=$(printf '%04096d' 0)" ./probe one two | grep -v '(arguments)')" \
		"$(grep -v '(arguments)' first)"
	ok "low addresses only, $flags" awk '{ if (length($NF) > 14) exit 1 }' first
	same "every function swapped, $flags" "$("$RECUT" profile -q ./probe one two)" "$(cat first)"
	same "a larger stack, $flags" "$(bash -c 'ulimit -s 65536; ./probe one two')" "$(cat first)"
done
"$CLANG" -w -pthread probe.c -o plain
ok 'the probe can tell: clang makes different ones' test "$(different 3 ./plain one two)" -gt 1
finish
