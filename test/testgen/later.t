#!/bin/bash
# Copies that are made where something may change, and not when the function begins: what a test begins with
# is as it was then, whichever way the function went, and however often it came by.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache

cat >later.c <<'END_OF_C'
#include <setjmp.h>
#include <stdlib.h>
struct item { struct item *next; long ready; char room[200]; };
static long is_open = 1;
volatile long zero;
static volatile int sink;
/* Small functions that call nothing are not monitored. */
static __attribute__((noinline)) void note(void) { __asm__ volatile(""); }
static __attribute__((noinline)) void work(long n) {
    for (long i = 0; i < n; i++)
        sink += (int)i;
}
#define FAIL return x->room[3] / zero
/* Each returns early if it does not begin with what was there. */
static __attribute__((noinline)) long seldom(struct item *x, long n) {
    note();
    if (x->ready != 1) return 0;
    if (n < 3) { work(n); return n; }
    if (n < 5) { work(n + 1); return n + 7; }
    *(volatile long *)&x->ready = 0;
    FAIL;
}
static __attribute__((noinline)) long rounds(struct item *x, long n) {
    note();
    if (x->ready != 1) return 0;
    for (long i = 0; i < n; i++)
        if (i & 1)
            *(volatile long *)&x->ready += i;
        else
            work(i);
    if (n > 2) FAIL;
    return 0;
}
static __attribute__((noinline)) long twice(struct item *x, long n) {
    note();
    if (x->ready != 1) return 0;
    if (n & 1) { work(n); *(volatile long *)&x->ready = 5; }
    else if (n > 100) return 3;
    work(n);
    if (n & 2) { work(n); *(volatile long *)&x->ready = 6; }
    if (n > 6) FAIL;
    return 0;
}
/* What the field leads to is changed when it leads elsewhere: that has to stay as it is. */
static __attribute__((noinline)) long replaced(struct item *x, long n) {
    note();
    if (x->next->ready != 1) return 0;
    if (n < 5) { work(n); return 0; }
    *(volatile long *)&x->next->ready = 0;
    *(struct item *volatile *)&x->next = x->next->next;
    for (long i = 0; i < n; i++)
        if (i > 2) { work(i); *(volatile long *)&x->next->ready = 2; }
    FAIL;
}
/* There is nothing behind the pointer when it is looked at first. */
static __attribute__((noinline)) long nothing(struct item *x, struct item *y, long n) {
    note();
    if (y) return 0;
    for (long i = 0; i < n; i++) {
        if (i & 1) { work(i); if (y) *(volatile long *)&y->ready = 2; }
        y = x->next;
    }
    if (x->next->ready == 2) FAIL;
    return 0;
}
static __attribute__((noinline)) long variable(struct item *x, long n) {
    note();
    if (!is_open) return 0;
    if (n < 5) { work(n); return 0; }
    for (long i = 0; i < n; i++)
        if (i & 1) { work(i); is_open = -is_open - 1; }
    FAIL;
}
static __attribute__((noinline)) void deeper(struct item *x, long n) {
    if (n) { work(n); *(volatile long *)&x->ready += n; note(); }
}
static __attribute__((noinline)) long callee(struct item *x, long n) {
    note();
    if (x->ready != 1) return 0;
    if (n < 5) { work(n); return 0; }
    for (long i = 0; i < n; i++)
        deeper(x, i);
    FAIL;
}
static jmp_buf back;
static __attribute__((noinline)) long again(struct item *x, long n) {
    note();
    if (x->ready != 1) return 0;
    int state = setjmp(back);
    if (n < 5) { work(n); return 0; }
    *(volatile long *)&x->ready += 3;
    if (state < 2) longjmp(back, state + 1);
    FAIL;
}
int main(int argc, char **argv) {
    struct item *list = NULL;
    for (int i = 0; i < 6; i++) {
        struct item *one = calloc(1, sizeof *one);
        one->next = list, one->ready = 1, list = one;
    }
    switch (argc > 1 ? argv[1][0] : 0) {
    case 's': return (int)seldom(list, 9);
    case 'r': return (int)rounds(list, 9);
    case 't': return (int)twice(list, 9);
    case 'T': return (int)twice(list, 11);
    case 'p': return (int)replaced(list, 9);
    case 'n': return (int)nothing(list, NULL, 9);
    case 'v': return (int)variable(list, 9);
    case 'c': return (int)callee(list, 9);
    case 'a': return (int)again(list, 9);
    }
    return 0;
}
END_OF_C

for level in -O0 -O1 -O2; do
	"$RECUT_CC" -g $level -o later$level later.c || exit 1
	for kind in s r t T p n v c a; do
		rm -rf tests later.crash
		("$RECUT" monitor -q -o later.crash ./later$level $kind; :) >/dev/null 2>&1
		"$RECUT" test later.crash -o tests >said 2>&1
		ok "$level: $kind" grep -q '^01_.* reproduces$' said
	done
done

# Who fails on one of ten ways does no more on the others than to say that there is no copy.
cat >ways.c <<'END_OF_C'
#include <stdlib.h>
struct item { long ready[12]; };
extern int puts(const char *text);
static __attribute__((noinline)) long look(struct item *x, long n) {
    if (n == 17) {
        for (int i = 0; i < 12; i++)
            *(volatile long *)&x->ready[i] = i;
        puts("seventeen");
        abort();
    }
    return x->ready[n % 11] * n + x->ready[n % 5] * 3 + x->ready[n % 3];
}
int main(int argc, char **argv) {
    struct item *one = calloc(1, sizeof *one);
    long sum = 0, count = argc > 1 ? atol(argv[1]) : 0;
    for (long i = 0; i < count; i++)
        sum += look(one, 18 + i % 50);
    return sum == 1;
}
END_OF_C
"$RECUT_CC" -g -O1 -o ways ways.c || exit 1
# Copies of 96 bytes would be 12 instructions more, and their head.
count() {
	strip -o stripped ways
	RECUT_VARIANT=$1 RECUT_MONITOR=${1:+$PWD/ways.crash} valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		./stripped "$2" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
rm -rf "$work/cache"
"$RECUT" monitor -q ./ways 1
image=$(find "$work/cache" -name '*monitor*' -type f | head -n 1)
ok 'a variant was built' test -s "$image"
more=$((($(count "$image" 20000) - $(count "$image" 10000)) / 10000 - ($(count '' 20000) - $(count '' 10000)) / 10000))
ok "$more instructions more for each call" test "$more" -lt 20
finish
