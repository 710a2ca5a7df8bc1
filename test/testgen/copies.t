#!/bin/bash
# What is kept of arguments, by each strategy: of a program whose functions change what they are given before
# one of them fails, those tests reproduce that begin with what the strategy copied.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache

cat >depths.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; long ready; char room[200]; };
static long is_open = 1;
/* Small functions that call nothing are not monitored. */
static __attribute__((noinline)) void note(void) { __asm__ volatile(""); }
volatile long zero;
#define TAKE(what) (note(), *(volatile long *)&(what) = 0)
/* The ones are taken away on the way to the failure: a test that begins with what was left of them
 * returns early. */
static __attribute__((noinline)) long first(struct item *x) {
    if (!x->ready) return 0;
    TAKE(x->ready);
    return x->next->ready / zero + x->room[3];
}
static __attribute__((noinline)) long second(struct item *x) {
    if (!x->next->ready) return 0;
    TAKE(x->next->ready);
    return x->ready / zero + x->room[3];
}
static __attribute__((noinline)) long third(struct item *x) {
    if (!x->next->next->ready) return 0;
    TAKE(x->next->next->ready);
    return x->ready / zero + x->room[3];
}
static __attribute__((noinline)) long fifth(struct item *x) {
    struct item *last = x;
    for (int i = 0; i < 4; i++)
        last = last->next;
    if (!last->ready) return 0;
    TAKE(last->ready);
    return x->ready / zero + x->room[3];
}
static __attribute__((noinline)) long variable(struct item *x) {
    if (!is_open) return 0;
    TAKE(is_open);
    return x->ready / zero + x->room[3];
}
static __attribute__((noinline)) long reads(const struct item *x) {
    note();
    return x->next->ready / zero + x->next->next->ready + x->room[3];
}
static __attribute__((noinline)) long wild(struct item *x, struct item *nowhere) {
    if (!x->ready) return 0;
    TAKE(x->ready);
    if (zero) nowhere->ready = nowhere->next->ready = 3;
    return x->next->ready / zero;
}
int main(int argc, char **argv) {
    struct item *list = NULL, *last = NULL;
    for (int i = 0; i < 6; i++) {
        struct item *one = calloc(1, sizeof *one);
        one->next = list, one->ready = 1, list = one;
        last = last ? last : one;
    }
    last->next = list; /* a circle */
    switch (argc > 1 ? argv[1][0] : 0) {
    case '1': return (int)first(list);
    case '2': return (int)second(list);
    case '3': return (int)third(list);
    case '5': return (int)fifth(list);
    case 'v': return (int)variable(list);
    case 'r': return (int)reads(list);
    case 'w': return (int)wild(list, (struct item *)0x123456789abcdef0);
    }
    return 0;
}
END_OF_C

# reproduces LEVEL KIND OPTIONS...: does the innermost test of that crash?
reproduces() {
	local level=$1 kind=$2
	shift 2
	rm -rf tests copied.crash
	("$RECUT" monitor -q "$@" -o copied.crash ./depths$level "$kind"; :) >/dev/null 2>&1
	"$RECUT" test copied.crash -o tests >said 2>&1
	grep -q '^01_.* reproduces$' said && echo yes || echo no
}

for level in -O0 -O2; do
	"$RECUT_CC" -g $level -o depths$level depths.c || exit 1
	while read -r options kinds; do
		IFS=, read -ra words <<<"$options"
		for kind in 1 2 3 5 v r w; do
			expected=no
			[[ $kinds != *$kind* ]] || expected=yes
			same "$level ${words[*]}: $kind" "$(reproduces $level $kind "${words[@]}")" $expected
		done
	done <<-END
		--copy=reference r
		--copy=shallow 1vrw
		--used-fields 12vrw
		--quiet 12vrw
		--copy=depth:1 1vrw
		--copy=depth:2 12vrw
		--copy=depth:2,--used-fields 123vrw
		--copy=depth:3 123vrw
		--copy=depth:5 1235vrw
		--copy=deep 1235vrw
	END
done

for bad in all depth depth: depth:0 depth:-1 depth:x depth:2x ''; do
	exits "--copy=$bad is refused" 2 "$RECUT" monitor "--copy=$bad" ./depths-O0
done
exits 'nothing is copied by reference' 2 "$RECUT" monitor --copy=reference --used-fields ./depths-O0

# Structures that are larger than all that is kept, and recursion with them.
cat >large.c <<'END_OF_C'
#include <stdlib.h>
struct node { struct node *left, *right; long number; };
static char *huge;
volatile long zero;
static struct node *make(int depth) {
    struct node *one = calloc(1, sizeof *one);
    if (depth) one->left = make(depth - 1), one->right = make(depth - 1);
    return one;
}
static __attribute__((noinline)) long down(struct node *node, char *buffer, int depth) {
    node->number++;
    buffer[depth]++;
    if (depth) return down(node->left ? node->left : node, buffer, depth - 1) + 1;
    return node->number / zero;
}
int main(void) {
    huge = malloc(100 << 20);
    return (int)down(make(14), huge, 2000);
}
END_OF_C
"$RECUT_CC" -g -O1 -o large large.c
(timeout -k 5 300 "$RECUT" monitor -q --copy=deep ./large; :) >/dev/null 2>&1
ok 'deep, of what is larger than all that is kept: a crash file' test -s large.crash
timeout -k 5 120 "$RECUT" test large.crash -o tests >said 2>&1
ok 'and tests of it' grep -q '^01_.* reproduces$' said
finish
