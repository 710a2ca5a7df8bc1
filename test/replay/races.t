#!/bin/bash
# recut races: programs with a planted race, whose two places it names, and programs
# without one, of which it says nothing; ThreadSanitizer is of the same opinion.
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs/races
export RECUT_CACHE_DIR=$work/cache

# The planted race of a program, as "FILE:LINE FILE:LINE": lines with /* race */, or one
# with /* race race */.
planted() {
	awk -v file="$(basename "$1")" '
		/\/\* race \*\// { found[count++] = file ":" FNR }
		/\/\* race race \*\// { found[count++] = file ":" FNR; found[count++] = file ":" FNR }
		END { print found[0], found[1] }' "$1"
}

# All that were found, in that form, a line each.
found() {
	python3 -c '
import json, os, sys
for race in json.load(sys.stdin)["races"]:
    tops = [access["stack"][0] for access in race["accesses"]]
    print(" ".join("%s:%d" % (os.path.basename(top["file"]), top["line"]) for top in tops))'
}

# look NAME LEVEL MODE: builds, records, and looks for races, which go to races.json.
look() {
	"$RECUT_CC" -w -g "-O$2" -o "$1" "$programs/$1.c" -lpthread >.out 2>&1 || return 99
	rm -rf trace
	timeout -k 5 300 "$RECUT" record -q "--threads=$3" -o trace "./$1" >recorded 2>>.out || return 98
	timeout -k 5 300 "$RECUT" races --json trace >races.json 2>>.out
}

# With threads in parallel the race itself may lead a replay astray before it comes to the second
# place; `complete` says so, and another recording may do better.
is_racy() {
	local level=$2 mode=$3 status try
	for try in 1 2 3; do
		look "$@"
		status=$?
		[ $mode = causal ] && grep -q '"complete":.*false' races.json || break
		! found <races.json | grep -qxF "$(planted "$programs/$1.c")" || break
	done
	[ $try = 1 ] || echo "# $1 -O$level $mode: recording $try"
	if [ $status = 1 ] && found <races.json | grep -qxF "$(planted "$programs/$1.c")"; then
		pass "$1 -O$level $mode: found"
	else
		{ echo "exit $status"; cat .out races.json; } | fail "$1 -O$level $mode: found"
	fi
}

is_free() {
	local level=$2 mode=$3 status
	look "$@"
	status=$?
	if [ $status = 0 ]; then pass "$1 -O$level $mode: no race"; else
		{ echo "exit $status"; cat .out; "$RECUT" races trace; } 2>&1 | fail "$1 -O$level $mode: no race"
	fi
}

for source in "$programs"/racy_*.c; do
	name=$(basename "$source" .c)
	is_racy "$name" 0 causal
	is_racy "$name" 0 serial
	is_racy "$name" 1 causal
done
for source in "$programs"/free_*.c; do
	name=$(basename "$source" .c)
	is_free "$name" 0 causal
	is_free "$name" 2 causal
	is_free "$name" 2 serial
done

# --- what is told ------------------------------------------------------------------------

# told PROGRAM [MODE]: the text, with exit status first.
told() {
	"$RECUT_CC" -w -g -O0 -o "$1" "$programs/$1.c" -lpthread || return
	rm -rf trace
	"$RECUT" record -q "--threads=${2-causal}" -o trace "./$1" >/dev/null
	"$RECUT" races trace 2>&1
	echo "exit $?"
}
like 'a part of a variable' "$(told racy_field)" "race on accounts\[1\].shared
  thread 1 writes at racy_field.c:13
    #0  deposit at racy_field.c:13
  thread 2 writes at racy_field.c:13
    #0  deposit at racy_field.c:13

1 race: a replay of this trace may differ from the run; record it with --threads=serial
exit 1"
like 'a heap block, and who has it' "$(told racy_heap)" \
	"race on byte 24 of a heap block of 64*main allocated the block*main at racy_heap.c:14*"
like 'a local, and whose' "$(told racy_stack)" "race on a local variable of main, main*"
like 'threads one at a time' "$(told racy_field serial)" "*1 race: *the replay is exact in spite of them*exit 1"
same 'no race' "$(told free_mutex)" "no races: a replay of this trace can be trusted
exit 0"

"$RECUT_CC" -O0 -o bare "$programs/racy_field.c" -lpthread
"$RECUT" record -q -o bare.trace ./bare >/dev/null
like 'without debugging information' "$("$RECUT" races bare.trace)" "race on accounts+44*deposit*deposit*1 race*"

"$RECUT" races --json trace >races.json
ok '--json: is JSON' python3 -c '
import json
races = json.load(open("races.json"))
assert races["format"] == "recut-races" and races["trusted"] and races["complete"] and not races["races"]'
"$RECUT" pack -o packed.recut trace >.out 2>&1
exits 'a packed trace' 0 "$RECUT" races packed.recut
exits 'a trace that is none' 1 "$RECUT" races nothing
exits 'two traces' 2 "$RECUT" races one two
exits 'an option that is none' 2 "$RECUT" races --fast

# The same each time, though threads run in parallel.
told racy_readers >first
for try in 1 2 3; do
	"$RECUT" races trace 2>&1
	echo "exit $?"
done >again
same 'the same each time' "$(cat again)" "$(cat first first first)"

# A program with more than the recorded variant does in it: functions without a model, and
# atomic operations.
cat >library.c <<'END'
static int state[8];
int *library_state(void) { state[1]++; return state; }
END
cat >uses.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
int *library_state(void);
static atomic_int ready;
static int counter;
static void *run(void *argument) {
    for (int i = 0; i < 10; i++)
        counter += library_state()[1] > 0; /* race race */
    atomic_fetch_add(&ready, 1);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", counter > 0, ready);
    return 0;
}
END
"$CLANG" -shared -fPIC -o liblibrary.so library.c
"$RECUT_CC" -g -o uses uses.c -L. -llibrary "-Wl,-rpath,$work" -lpthread
for how in --threads=causal --shared --chaos=3; do
	rm -rf trace
	"$RECUT" record -q $how -o trace ./uses >/dev/null
	same "a library without models, $how" "$("$RECUT" races --json trace | found)" "$(planted uses.c)"
done

# A race that leads the replay astray: it says what to do, and the race is told.
cat >astray.c <<'END'
#include <pthread.h>
#include <unistd.h>
static volatile int stop;
static volatile long turns;
static void *spin(void *argument) {
    while (!stop)
        turns++;
    usleep(turns % 997);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    usleep(100000); /* it has had some time then, on a busy machine too */
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
END
"$RECUT_CC" -g -O1 -o astray astray.c -lpthread
rm -rf trace
"$RECUT" record -q -o trace ./astray
like 'a replay that goes astray says what to do' "$("$RECUT" replay trace 2>&1)" \
	"*leaves the recording*record it with*--threads=serial*recut races*"
like 'and the race is found' "$("$RECUT" races trace)" \
	"*race on stop*the replay left the recording before its end*1 race*"

# A replay that nothing can end: the first thread is behind its log, the other waits for it.
if [ -n "${RECUT_LONG-}" ]; then
	sed 's/usleep(100000);.*/do usleep(5000); while (!turns);/' astray.c >spins.c
	"$RECUT_CC" -g -O1 -o spins spins.c -lpthread
	rm -rf trace
	"$RECUT" record -q -o trace ./spins
	like 'a replay in which a thread spins says what to do' \
		"$(timeout -k 5 300 "$RECUT" replay trace 2>&1)" "*--threads=serial*"
fi

# Runs that ended by a crash: what was before it is told, and the crash is the end of the replay.
cat >crash.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int zero;
static void *run(void *argument) {
    pthread_mutex_lock(&mutex);
    zero *= 2;
    pthread_mutex_unlock(&mutex);
    return argument;
}
int main(int count, char **arguments) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    volatile int none = zero;
    switch (count > 1 ? arguments[1][0] : 0) {
    case 'f': return 7 / none;
    case 'i': __builtin_trap();
    case 's': return *(volatile int *)(long)none;
    case 'a': abort();
    }
    return 0;
}
END
"$RECUT_CC" -g -O1 -w -o crash crash.c -lpthread
for kind in fpe ill segv abort; do
	for mode in causal serial; do
		rm -rf trace
		("$RECUT" record -q --threads=$mode -o trace ./crash $kind; :) >.out 2>&1
		like "a crash, $kind, $mode" "$("$RECUT" races trace 2>&1)" "no races: a replay of this trace can be trusted"
	done
done

# --- ThreadSanitizer ---------------------------------------------------------------------

# ThreadSanitizer: 66 is its exit status if it found something. Where the kernel places
# memory at random, it may not like where.
sanitized() { setarch -R env TSAN_OPTIONS=exitcode=66 "./$1.tsan" >.out 2>&1; }
echo 'int main(void) { return 0; }' >empty.c
"$CLANG" -fsanitize=thread -o empty.tsan empty.c >.out 2>&1
if sanitized empty; then
	for source in "$programs"/*.c; do
		name=$(basename "$source" .c)
		if grep -q '<threads.h>' "$source"; then
			skip "$name: ThreadSanitizer agrees" "it does not know the threads of C11"
			continue
		fi
		"$CLANG" -w -g -O1 -fsanitize=thread -o "$name.tsan" "$source" -lpthread || exit 1
		wanted=0
		[[ $name == racy_* ]] && wanted=66
		for try in 1 2 3; do # it only looks at the last few accesses
			sanitized "$name"
			status=$?
			[ $status = $wanted ] && break
		done
		same "$name: ThreadSanitizer agrees" $status $wanted
	done
else
	skip "ThreadSanitizer agrees" "it does not run here: $(head -n 1 .out)"
fi
finish
