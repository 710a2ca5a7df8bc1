#!/bin/bash
# Crashes are part of a recording: same signal, same place, same output, and an
# account of it that a person can read.
. "$(dirname "$0")/../lib/tap.sh"

# crashes HOW EXIT LIKE: what `recut record` says is like the last.
crashes() {
	local how=$1 wanted=$2 said=$3 level=$4
	rm -rf trace
	(./crash "$how" >plain 2>plain.err) 2>/dev/null
	same "$level $how: exit of the program by itself" "$?" "$wanted"
	("$RECUT" record -o trace ./crash "$how" >recorded 2>recorded.err) 2>/dev/null
	same "$level $how: exit when recorded" "$?" "$wanted"
	(cd / && "$RECUT" replay "$work/trace" >"$work/replayed" 2>"$work/replayed.err" </dev/null) 2>/dev/null
	same "$level $how: exit when replayed" "$?" "$wanted"
	ok "$level $how: output" diff recorded replayed
	grep -v -e '^recut: ' -e '^  ' recorded.err >errors
	ok "$level $how: errors" diff errors <(grep -v '^recut: stack overflow' replayed.err)
	like "$level $how: told" "$(cat recorded.err)" "$said"
	like "$level $how: in the log" "$("$RECUT" events trace 2>&1)" '*SIG*'
}

exec 2>/dev/null # the shell tells of each crash
for level in -O0 -O2; do
	"$RECUT_CC" -w -g $level -o crash "$root/test/replay/programs/crash.c" || exit 1
	crashes null 139 '*SIGSEGV*null pointer*by_null at crash.c*main at crash.c*' $level
	crashes division 136 '*SIGFPE*by_division at crash.c*' $level
	crashes string 139 '*SIGSEGV*null pointer*by_string at crash.c*' $level
	crashes recursion 139 '*SIGSEGV*stack is used up*by_recursion at crash.c*' $level
	crashes assertion 134 '*zero is not zero*SIGABRT*by_assertion at crash.c*' $level
	crashes free 134 '*SIGABRT*by_free at crash.c*' $level
	crashes call 139 '*SIGSEGV*by_wild_call at crash.c*' $level
	crashes library 139 '*SIGSEGV*in_library at crash.c*' $level
	crashes abort 134 '*SIGABRT*main at crash.c*' $level
	crashes bus 135 '*SIGBUS*main at crash.c*' $level
	crashes truncation 135 '*SIGBUS*main at crash.c*' $level
done

# A handler of the program's is the program's.
rm -rf trace
"$RECUT" record -q -o trace ./crash handled >recorded 2>recorded.err
same "a handler: exit when recorded" "$?" 5
"$RECUT" replay trace >replayed 2>replayed.err
same "a handler: exit when replayed" "$?" 5
ok "a handler: errors" diff recorded.err replayed.err
# A thread that crashes before the one that made it has come back from pthread_create().
cat >at_once.c <<'END'
#include <pthread.h>
static void *die(void *nothing) { return (void *)(long)*(volatile int *)nothing; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, die, NULL);
    pthread_join(thread, NULL);
    return 0;
}
END
"$RECUT_CC" -g -O1 -o at_once at_once.c -lpthread
for mode in causal serial; do
	bad=0
	for ((i = 0; i < 20; i++)); do
		rm -rf trace
		("$RECUT" record -q --threads=$mode -o trace ./at_once; "$RECUT" replay trace; echo $? >status) >/dev/null 2>&1
		[ "$(cat status)" = 139 ] || bad=$((bad + 1))
	done
	same "a thread that crashes at once, $mode: replays that do not" $bad 0
done

finish
