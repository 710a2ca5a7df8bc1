#!/bin/bash
# Is a cut one of every execution?  Random programs are run with an eye on each byte: what replay
# space reads without logging it is valid (sides.c).
#
#   sides.t            10 seeds, RECUT_LONG=1: 200 seeds; each with three strategies
#   sides.t SEED...    these
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
for tool in csmith python3; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
here=$root/test/cut
"$CLANG" -O2 -c -o sides.o "$here/sides.c" || exit 1

# build SOURCE FLAG...: p.ll, its accesses, and q that tells of them
build() {
	"$CLANG" -w -g -O0 "${@:2}" -S -emit-llvm -o p.ll "$1" &&
		"$CLANG" -w -c -emit-llvm -o p.bc p.ll &&
		python3 "$here/sides.py" change p.ll q.ll places &&
		"$CLANG" -w -O0 -o q q.ll sides.o -lpthread
}

# holds CUT: no load of a run breaks it
holds() {
	local status
	python3 "$here/sides.py" table "$1" places sides
	SIDES=sides timeout -k 1 10 ./q >/dev/null 2>.said
	status=$?
	[ $status != 99 ] && return
	cat .said
	return 1
}

# Every logged instruction of a program is needed: without it, some load is told.
cat >known.c <<'END'
static int shared, other, *where = &shared, table[4];
static int (*next)(int);
__attribute__((noinline)) static int outside(int x) { shared = x; table[x & 3] = x; return x + 1; }
__attribute__((noinline)) static int target(int x) { other = x; return *where + table[x & 3] + next(x); }
__attribute__((noinline)) static int callback(int x) { return x + shared; }
int main(void) {
	next = callback;
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += outside(i) + target(i);
	return sum & 1 ? other & 1 : 0;
}
END
build known.c || exit 1
for strategy in mincut tight eager; do
	"$RECUT" cut p.bc --target target callback --strategy $strategy -q -o cut 2>/dev/null
	ok "a program by hand, $strategy" holds cut
done
"$RECUT" cut p.bc --target target --target callback --strategy tight -q -o cut 2>/dev/null
ok 'its cut logs something' grep -q '^logged' cut
grep -v '^logged' cut >less
ok 'a cut that logs nothing is noticed' bash -c "$(declare -f holds); here=$here; ! holds less"

# Memory that the program's own allocators give, from both sides of a cut.
cat >blocks.c <<'END'
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int data[3]; };
static struct node *released, *shared[4];
static int *kept;
static int stored(size_t size, void *at) { void *p = malloc(size); memset(p, 3, size); *(void **)at = p; return 0; }
static int passed_on(size_t size, void *at) { int r = stored(size, at); **(int **)at += 1; return r; }
static void *sized(size_t n) { size_t *p = malloc(n + 16); memset(p, 5, n + 16); *p = n; return p + 2; }
static size_t size_of(void *p) { return ((size_t *)p)[-2]; }
static void grow(void *at, size_t n) { void **p = at; *p = realloc(*p, n); memset(*p, 7, n); }
__attribute__((malloc)) static struct node *piece(void) {
	struct node *n = released;
	if (n) released = n->next;
	else n = calloc(1, sizeof *n);
	n->data[0]++;
	return n;
}
static void release(struct node *n) { n->data[1] = n->data[0]; n->next = released; released = n; }
static int left(int x) {
	int *a, *b = NULL;
	passed_on(8, &a);
	stored(8, &kept);
	grow(&b, 16);
	*kept = *a + b[3] + x;
	shared[x & 3] = piece();
	shared[x & 3]->data[2] = *kept;
	int *c = sized(8);
	c[0] = x;
	return c[0] + c[1] + (int)size_of(c);
}
static int right(int x) {
	struct node *n = shared[x & 3];
	int sum = *kept + n->data[0] + n->data[1] + n->data[2];
	release(n);
	int *d = sized(24);
	return sum + d[5] + (int)size_of(d);
}
int main(void) {
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += left(i) ^ right(i);
	return sum & 1;
}
END
build blocks.c || exit 1
for target in left right stored sized piece release grow; do
	for strategy in mincut tight eager; do
		"$RECUT" cut p.bc --target $target --strategy $strategy -q -o cut 2>/dev/null
		ok "allocators, $target, $strategy" holds cut
	done
done

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1 260; else seq 1 16; fi)
fi
good=0 wanted=$(is_long && echo 200 || echo 10) slow=0 logs=0
[ $# = 0 ] || wanted=$#
for seed in "${seeds[@]}"; do
	[ $good -lt "$wanted" ] || break
	csmith --seed "$seed" --max-funcs 6 --max-block-depth 3 --no-packed-struct >p.c 2>/dev/null || continue
	if ! build p.c -I "$include" >.out 2>&1; then
		fail "seed $seed: builds" <.out
		continue
	fi
	yes r- | head -n 100000 >sides
	if ! SIDES=sides timeout -k 1 5 ./q >/dev/null 2>&1; then
		slow=$((slow + 1)) # some never end
		continue
	fi
	mapfile -t targets < <(python3 "$here/sides.py" target p.ll "$seed")
	for strategy in mincut tight eager; do
		"$RECUT" cut p.bc "${targets[@]/#/--target=}" --strategy $strategy -q -o cut 2>.err || {
			fail "seed $seed: a cut, $strategy" <.err
			continue
		}
		grep -q '^logged' cut && logs=$((logs + 1))
		ok "seed $seed: ${targets[*]}, $strategy" holds cut
	done
	good=$((good + 1))
done
echo "# $good programs, $logs cuts that log loads or stores; $slow programs take too long by themselves"
finish
