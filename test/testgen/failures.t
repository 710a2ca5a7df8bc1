#!/bin/bash
# Failures of each kind, recorded and monitored: the tests fail in the same way, and pass when the program
# is built without the bug; and what `recut monitor` and `recut test` are asked for besides.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state

cat >fails.c <<'END_OF_C'
#include <assert.h>
#include <recut.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    const char *kind;
    int number, zero;
    struct job *next;
};
static int depth;

static __attribute__((noinline)) int deeper(struct job *job) {
    volatile char room[4096];
    room[0] = (char)++depth;
#ifdef FIXED
    if (depth > 10)
        return depth;
#endif
    return deeper(job) + room[0];
}

/* The failure is what brought us here. */
static void panic(int number) {
    signal(SIGABRT, SIG_DFL);
    puts("panic");
    abort();
}

static __attribute__((noinline)) int fail(struct job *job) {
    int none = job->zero;
#ifdef FIXED
    if (strcmp(job->kind, "overflow") != 0)
        return 0;
#endif
    if (strcmp(job->kind, "segv") == 0)
        return job->next->number;
    if (strcmp(job->kind, "panics") == 0) {
        signal(SIGSEGV, panic);
        return job->next->number;
    }
    if (strcmp(job->kind, "fpe") == 0)
        return job->number / none;
    if (strcmp(job->kind, "ill") == 0)
        __builtin_trap();
    if (strcmp(job->kind, "abort") == 0)
        abort();
    if (strcmp(job->kind, "assert") == 0)
        assert(job->next);
    if (strcmp(job->kind, "bus") == 0)
        raise(SIGBUS);
    if (strcmp(job->kind, "kill") == 0)
        kill(getpid(), SIGFPE);
    if (strcmp(job->kind, "static") == 0)
        free(&depth);
    if (strcmp(job->kind, "stack") == 0)
        free((void *)&none + 16);
    if (strcmp(job->kind, "text") == 0)
        free(*(void **)"text, not a pointer");
    if (strcmp(job->kind, "odd") == 0)
        free((char *)stdout + 3);
    if (strcmp(job->kind, "resized") == 0)
        return realloc(*(void **)"text, not a pointer", 100) != NULL;
    if (strcmp(job->kind, "overflow") == 0)
        return deeper(job) + 1;
    if (strcmp(job->kind, "exit") == 0)
        exit(3);
    if (strcmp(job->kind, "told") == 0)
        recut_failure("the number is odd");
    return 0;
}

static __attribute__((noinline)) int handle(const char *kind, int number) {
    struct job *job = calloc(1, sizeof *job);
    job->kind = strdup(kind);
    job->number = number;
    return fail(job) + 1;
}

int main(int argc, char **argv) {
    int result = handle(argc > 1 ? argv[1] : "none", 41);
    printf("%d\n", result > 0);
    return 0;
}
END_OF_C
"$RECUT_CC" -w -g -O1 -o fails fails.c
"$RECUT_CC" -w -g -O1 -DFIXED -o mended fails.c
same 'a program with <recut.h> is as it was without recut' "$(./fails told)" 1
clang-19 -w -I"$root/include" -o plain fails.c
same 'and so it is when another compiler built it' "$(./plain told)" 1

for kind in segv panics fpe ill abort assert bus kill static stack text odd resized overflow exit told; do
	option=
	[ $kind != exit ] || option=--exit
	("$RECUT" record -q -o $kind.trace ./fails $kind; "$RECUT" monitor -q $option -o $kind.crash ./fails $kind
	 :) >/dev/null 2>&1
	# No block of anybody's, wherever libc has its heap.
	case $kind in static | stack | text | odd | resized)
		like "$kind: is refused" "$(./fails $kind 2>&1)" '*invalid pointer 0x*' ;;
	esac
	for from in trace crash; do
		rm -rf tests
		timeout -k 5 120 "$RECUT" test $option $kind.$from -o tests >said 2>&1
		ok "$kind, $from: a function reproduces it" grep -q ' reproduces$' said
		[ $from = crash ] ||
			same "$kind: all functions from main() to the one that fails" "$(grep -c 'fail *reproduces$\|handle *reproduces$\|main *reproduces$' said)" 3
		ok "$kind, $from: the tests fail" bash -c "! make -s -C tests RECUT=$RECUT check >/dev/null 2>&1"
		ok "$kind, $from: the tests pass when it is mended" \
			make -s -C tests RECUT="$RECUT" PROG="$work/mended" check
	done
done

# A recursion that asks the environment at each level: with more of the stack than the failed run had, a test
# would come to a call that was never made.  The innermost have nothing to speak of, then as now.
cat >asks.c <<'END_OF_C'
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
static int level(const char *name, int depth);
static __attribute__((noinline)) int expand(const char *name, int depth) {
    struct stat info;
    if (stat(name, &info) < 0)
        return 0;
#ifdef FIXED
    if (depth > 100)
        return 0;
#endif
    return level(name, depth + 1) + (int)info.st_size;
}
static __attribute__((noinline)) int level(const char *name, int depth) {
    char line[64] = "";
    FILE *in = fopen(name, "r");
    if (!in)
        return 0;
    if (!fgets(line, sizeof line, in))
        line[0] = 0;
    fclose(in);
    return expand(name, depth) + (int)strlen(line);
}
int main(void) { return level("asks.c", 0) == 7; }
END_OF_C
"$RECUT_CC" -g -O1 -o asks asks.c
"$RECUT_CC" -g -O1 -DFIXED -o asks-mended asks.c
(timeout -k 5 60 "$RECUT" record -q -o asks.trace ./asks; :) >/dev/null 2>&1
rm -rf tests
"$RECUT" test asks.trace -o tests >said 2>&1
like 'a stack that ran over: the first calls reproduce it' "$(tr -s ' ' <said)" '*_level reproduces*_expand reproduces*_level reproduces*_main reproduces*'
ok 'and pass when it is mended' make -s -C tests RECUT="$RECUT" PROG="$work/asks-mended" check

# A test sends no signal to others: what the mended program does once it goes on stays within it.
cat >others.c <<'END_OF_C'
#include <signal.h>
#include <stdio.h>
static int end(int process, const int *number) {
#ifdef FIXED
    if (!number)
        return kill(process, SIGKILL);
#endif
    return *number + kill(process, SIGKILL);
}
int main(void) {
    int process = 0;
    FILE *in = fopen("process", "r");
    if (!in || fscanf(in, "%d", &process) != 1)
        return 2;
    return end(process, NULL);
}
END_OF_C
"$RECUT_CC" -g -O0 -o others others.c
"$RECUT_CC" -g -O0 -DFIXED -o others-mended others.c
sleep 60 &
other=$!
echo $other >process
for how in record monitor; do
	rm -rf tests
	("$RECUT" $how -q -o others.$how ./others; :) >/dev/null 2>&1
	"$RECUT" test others.$how -o tests >said 2>&1
	ok "$how: a test with the number of a process" grep -q '^01_end .*reproduces$' said
	ok "$how: it passes when it is mended" make -s -C tests RECUT="$RECUT" PROG="$work/others-mended" check
	ok "$how: the process is there" kill -0 $other
done
kill $other

# What the mended program does with what a test gives it may have no end.
cat >circles.c <<'END_OF_C'
struct list { struct list *next; };
static __attribute__((noinline)) int count(const struct list *all) {
    int found = 0;
#ifdef FIXED
    if (!all)
        for (;;)
            __asm__ volatile("");
#endif
    for (const struct list *one = all->next; one; one = one->next)
        found++;
    return found;
}
int main(int argc, char **argv) { return count(argc > 7 ? (void *)argv : (void *)0); }
END_OF_C
"$RECUT_CC" -g -O0 -o circles circles.c
"$RECUT_CC" -g -O0 -DFIXED -o circles-mended circles.c
rm -rf tests
("$RECUT" record -q -o circles.trace ./circles; :) >/dev/null 2>&1
"$RECUT" test circles.trace -o tests >said 2>&1
like 'a test without an end has one' \
	"$(make -s -C tests RECUT="$RECUT" PROG="$work/circles-mended" TIMEOUT=1 check 2>&1)" '*FAIL  01_count (no end after 1 s)*'

# --- what is asked for ---------------------------------------------------------------------

exits 'a program that did not fail' 1 "$RECUT" test told.none -o tests
"$RECUT" record -q -o none.trace ./fails none >/dev/null
like 'a recording without a failure' "$("$RECUT" test none.trace -o tests 2>&1)" \
	"*neither crashed nor said that it failed*"
like 'what failed, in the tests' "$("$RECUT" test told.trace -o tests >/dev/null 2>&1; cat tests/*_main.c)" \
	"*main() as it was called when fails failed: the number is odd*"

for framework in cmocka check; do
	rm -rf tests
	"$RECUT" test --framework $framework segv.trace -o tests >said 2>&1
	same "--framework $framework: all reproduce" "$(grep -c ' reproduces$' said)" 3
	make -s -C tests RECUT="$RECUT" check >said 2>&1
	same "--framework $framework: they fail" "$(grep -c ^FAIL said)" 3
	like "--framework $framework: and it says why" "$(cat tests/build/*_fail.out)" '*Segmentation fault*'
	ok "--framework $framework: they pass when it is mended" \
		make -s -C tests RECUT="$RECUT" PROG="$work/mended" check
done
exits 'a framework that is none' 2 "$RECUT" test --framework junit segv.trace

# NULL comes about in handle(): fail() is handed a job whose next is NULL, not NULL itself.
like 'where to begin, and why' "$("$RECUT" test segv.trace -o tests 2>/dev/null)" "*begin with 01_fail: the innermost that is not handed NULL"

# Second chance: nothing is known of a first crash but the functions; then they are monitored.
("$RECUT" monitor --second-chance ./fails segv; :) >said 2>&1
like 'second chance: the first time' "$(cat said)" '*failed: 3 functions that were running are monitored from now on*'
exits 'second chance: no tests yet' 1 "$RECUT" test fails.crash -o tests
("$RECUT" monitor --second-chance -q ./fails segv; :) >said 2>&1
"$RECUT" test fails.crash -o tests >said 2>&1
ok 'second chance: the next time' grep -q '^01_fail .*reproduces$' said
"$RECUT" monitor --export armed ./fails
rm -rf "$XDG_STATE_HOME"
same 'what is exported' "$(sed -n 's/^function //p' armed)" "fail
handle
main"
"$RECUT" monitor --import armed ./fails
("$RECUT" monitor --second-chance -q ./fails segv; :) >said 2>&1
"$RECUT" test fails.crash -o tests >said 2>&1
ok 'second chance: where it was imported' grep -q '^01_fail .*reproduces$' said
exits 'a list of another build' 65 "$RECUT" monitor --import armed ./mended
echo hello >text
exits 'a list that is none' 65 "$RECUT" monitor --import text ./fails
exits 'no list' 1 "$RECUT" monitor --import nothing ./fails

("$RECUT" monitor -q --exclude handle ./fails segv; :) >said 2>&1
like '--exclude: it has no test' "$("$RECUT" test fails.crash -o tests 2>/dev/null)" '*   handle * no test: not monitored*'
cat >inlined.c <<'END_OF_C'
struct point { int x; struct point *next; };
static inline __attribute__((always_inline)) int get(struct point *point) { return point->x; }
static __attribute__((noinline)) int both(struct point *point) { return get(point) + get(point->next); }
int main(void) {
    struct point point = {1, 0};
    return both(&point);
}
END_OF_C
"$RECUT_CC" -g -o inlined inlined.c
("$RECUT" record -q -o inlined.trace ./inlined; :) >said 2>&1
like 'a function that was inlined: its caller has a test' "$("$RECUT" test inlined.trace -o tests 2>/dev/null | head -n 2 | tr -s ' ')" \
	' get inlined into both
01_both reproduces'
exits 'a strategy that is none' 2 "$RECUT" monitor --copy=all ./fails
exits 'no program' 2 "$RECUT" monitor

# Files that are damaged, cut short, or something else.
for size in 0 1 100 1000; do
	head -c $size segv.crash >cut.crash
	timeout 20 "$RECUT" test cut.crash -o tests >said 2>&1
	status=$?
	ok "a crash file of $size bytes is refused" test $status = 65 -o $status = 1
done
exits 'a crash file of another build' 65 "$RECUT" test --program ./mended segv.crash -o tests
finish
