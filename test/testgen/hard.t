#!/bin/bash
# Crashes where little is as it should be: a corrupt heap, a smashed stack, wild pointers, circles, deep
# recursion, and crashes in free(), in a handler, in another thread, before main(). There are tests of
# each; they pass when the program is mended.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache

cat >hard.c <<'END_OF_C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node { struct node *next; char *text; int value; };
static char *kind = "";
static volatile int zero;
#ifdef FIXED
static const int is_fixed = 1;
#else
static const int is_fixed = 0;
#endif

static __attribute__((noinline)) int use(struct node *n, int depth) {
    if (is_fixed)
        return zero + depth + (n == 0);
    return n->next->value / zero + depth;
}
static __attribute__((noinline)) int corrupt(struct node *n) {
    if (is_fixed)
        return zero + (n == 0);
    char *a = malloc(40), *b = malloc(40);
    memset(a - 64, 0x41, 200);       /* over the heap's blocks */
    free(b); free(a);
    char *c = malloc(40);
    memset(c, 1, 40);
    n->next = (struct node *)0x4141414141414141;
    return n->next->value;
}
static __attribute__((noinline)) int smash(struct node *n, volatile int count) {
    if (is_fixed)
        return zero + (n == 0);
    char room[16];
    volatile char *at = room;
    for (int i = 0; i < count; i++)
        at[i] = (char)0x55;
    return room[3] + n->value;
}
static __attribute__((noinline)) int bad_free(struct node *n) {
    if (is_fixed)
        return zero + (n == 0);
    free(n->text + 3);
    return 1;
}
static void on_signal(int number) {
    struct node n = {0};
    use(&n, number);
}
static void *in_thread(void *argument) {
    struct node *n = argument;
    return (void *)(long)use(n, 5);
}
static __attribute__((noinline)) int by_thread(struct node *n) {
    pthread_t t;
    pthread_create(&t, NULL, in_thread, n);
    pthread_join(t, NULL);
    return 0;
}
static __attribute__((noinline)) int deep(struct node *n, int depth) {
    if (depth) return deep(n, depth - 1) + 1;
    return use(n, depth);
}
__attribute__((constructor)) static void early(void) {
    const char *want = getenv("HARD");
    struct node n = {0};
    if (want && strcmp(want, "constructor") == 0)
        use(&n, 1);
}
int main(int argc, char **argv) {
    kind = argc > 1 ? argv[1] : "";
    struct node *n = calloc(1, sizeof *n), *ring = calloc(1, sizeof *ring);
    ring->next = ring; /* a circle */
    ring->text = strdup("hello");
    n->text = strdup("text");
    int result = 0;
    if (!strcmp(kind, "cyclic")) result = use(ring, 3);
    if (!strcmp(kind, "wild")) result = use((struct node *)0x7fff00000000, 3);
    if (!strcmp(kind, "corrupt")) result = corrupt(n);
    if (!strcmp(kind, "smash")) result = smash(n, 4096);
    if (!strcmp(kind, "badfree")) result = bad_free(n);
    if (!strcmp(kind, "handler")) { signal(SIGUSR1, on_signal); raise(SIGUSR1); }
    if (!strcmp(kind, "thread")) result = by_thread(n);
    if (!strcmp(kind, "deep")) result = deep(n, 100000);
    printf("%d\n", result);
    return 0;
}
END_OF_C
"$RECUT_CC" -w -g -O1 -o hard hard.c
"$RECUT_CC" -w -g -O1 -DFIXED -o mended hard.c

for kind in cyclic wild corrupt smash badfree handler thread deep constructor; do
	[ $kind = constructor ] && export HARD=$kind || unset HARD
	(timeout -k 5 60 "$RECUT" record -q -o $kind.trace ./hard $kind
	 timeout -k 5 60 "$RECUT" monitor -q -o $kind.crash ./hard $kind
	 :) >/dev/null 2>&1
	unset HARD
	ok "$kind: there is a crash file" test -s $kind.crash
	for from in trace crash; do
		# What ran before main() began with another environment.
		[ $kind.$from != constructor.crash ] || continue
		rm -rf tests
		timeout -k 5 120 "$RECUT" test $kind.$from -o tests >said 2>&1
		ok "$kind, $from: a function reproduces it" grep -q ' reproduces$' said
		ok "$kind, $from: the tests pass when it is mended" \
			make -s -C tests RECUT="$RECUT" PROG="$work/mended" check
	done
done

# What is the same at some distance again and again takes next to no room: with the bytes as they are it is ten
# times as much.
ok "a stack of 100,000 calls: $(stat -c %s deep.crash) bytes" test "$(stat -c %s deep.crash)" -lt 200000
finish
