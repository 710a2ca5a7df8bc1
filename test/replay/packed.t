#!/bin/bash
# A packed trace has all processes, and is replayed where their programs are not.
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache

mkdir here && cd here || exit 1
ok 'builds' "$RECUT_CC" -w -g -O1 -o parts "$root/test/replay/programs/parts.c"
cat >other.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int arguments, char **argument) {
    printf("%d: other %.3f\n", (int)getpid(), sqrt(arguments));
    fflush(stdout);
    if (arguments > 1) {
        execl("./parts", "./parts", argument[1], (char *)NULL);
        return 99;
    }
    if (fork() == 0) {
        printf("%d: child of other\n", (int)getpid());
        fflush(stdout);
        execl("./other", "./other", "chain", (char *)NULL);
        _exit(98);
    }
    int status;
    wait(&status);
    if (fork() == 0) {
        printf("%d: crashes\n", (int)getpid());
        fflush(stdout);
        abort();
    }
    wait(&status);
    return 3;
}
END
ok 'another builds' "$RECUT_CC" -w -g -O1 -o other other.c -lm

# shows TRACE RESULT: all that can be seen of it
shows() {
	local pid
	"$RECUT" ps "$1" >"$2.ps" 2>"$2.err"
	"$RECUT" ps --json "$1" | grep -o '"pid":[^,]*' | tr -dc '0-9\n' | awk '!seen[$0]++' >"$2.pids"
	for pid in $(cat "$2.pids"); do
		"$RECUT" events -p "$pid" "$1" >>"$2.events" 2>>"$2.err"
		"$RECUT" dump --json -p "$pid" "$1" >>"$2.dump" 2>>"$2.err"
		{
			timeout 300 "$RECUT" replay -p "$pid" "$1" >"$2.replay.$pid" 2>>"$2.err" </dev/null
			echo "exit $?" >>"$2.replay.$pid"
		} 2>/dev/null # the shell tells of a crash
	done
	"$RECUT" events "$1" >>"$2.events" 2>>"$2.err"
	timeout 300 "$RECUT" replay "$1" >"$2.replay.0" 2>>"$2.err" </dev/null
	echo "exit $?" >>"$2.replay.0"
	"$RECUT" dump --check "$1" >"$2.check" 2>&1
	echo "exit $?" >>"$2.check"
}

# equal NAME RESULT: the same as `before`
equal() {
	local file
	for file in ps pids events dump check $(cd .. && ls before.replay.* | cut -d. -f2-); do
		ok "$1: $file" cmp "../before.$file" "../$2.$file"
	done
	same "$1: nothing on stderr" "$(cat "../$2.err")" "$(cat ../before.err)"
}

for what in 'parts family' 'parts threads' 'parts chain' 'other' 'serial parts'; do
	rm -rf ../before* ../after* ../again* ../tar.* ../gone ../trace* ../trace cache
	mode=causal
	[ "${what%% *}" = serial ] && mode=serial
	# shellcheck disable=SC2086
	timeout 300 "$RECUT" record -q --threads=$mode -o ../trace ./${what#serial } >../recorded 2>&1
	shows ../trace ../before
	ok "$what: pack" "$RECUT" pack -o ../trace.recut ../trace
	mkdir ../gone && mv parts other ../trace ../gone/
	shows ../trace.recut ../after
	equal "$what, packed" after
	same "$what, packed: the first process has its pid" "$(head -n 1 ../after.pids)" "$(head -n 1 ../recorded | cut -d: -f1)"
	ok "$what: pack again" "$RECUT" pack -o ../again.recut ../trace.recut
	rm -rf "$XDG_CACHE_HOME"
	shows ../again.recut ../again
	equal "$what, packed twice" again
	mkdir ../tar.dir
	if zstd -dcq ../trace.recut 2>/dev/null | tar -xf - -C ../tar.dir; then
		shows ../tar.dir ../tar.shown
		equal "$what, unpacked by tar" tar.shown
	else
		skip "$what, unpacked by tar" 'no zstd'
	fi
	mv ../gone/parts ../gone/other .
done

# What is there once is packed once.
rm -rf ../trace*
"$RECUT" record -q -o ../trace ./parts >../recorded 2>&1
"$RECUT" pack -o ../trace.recut ../trace
child=$(sed -n 's/: child$//p' ../recorded)
rm -rf "$XDG_CACHE_HOME"
"$RECUT" ps ../trace.recut >/dev/null
same 'one executable under five names' "$(stat -c %h "$XDG_CACHE_HOME"/recut/packed/*/program)" 5
ok 'pack of the directory of a child' "$RECUT" pack -o ../child.recut "../trace/pid.$child"
ok 'is the pack of all' cmp ../child.recut ../trace.recut
like 'replay --part' "$("$RECUT" replay -p "$child" --part 3 ../trace.recut 2>/dev/null)" "$child: middle"

# --- what is not there ----------------------------------------------------------------------------

rm -rf ../trace*
"$RECUT" record -q -o ../trace ./other chain >../recorded 2>&1
mv parts ../gone/
exits 'a program that a process became is gone' 0 "$RECUT" pack -o ../trace.recut ../trace
like 'which is told' "$(cat .out)" 'recut pack: a program is left out: cannot open *parts*'
like 'the rest is packed' "$("$RECUT" replay --part 1 ../trace.recut 2>/dev/null)" '*: other *'
exits 'its replay ends there' 1 "$RECUT" replay ../trace.recut
like 'with the reason' "$(cat .out)" '*: other *recut replay: cannot open *parts*'
mv ../gone/parts .
mv other ../gone/
exits 'the program itself is gone' 1 "$RECUT" pack -o ../none.recut ../trace
ok 'nothing is left' test ! -e ../none.recut
mv ../gone/other .
rm -rf ../trace*
"$RECUT" record -q -o ../trace ./parts >../recorded 2>&1
rm "../trace/pid.$(sed -n 's/: child$//p' ../recorded)/log.0"
exits 'what is damaged is not packed' 65 "$RECUT" pack -o ../none.recut ../trace
like 'and why' "$(cat .out)" 'recut pack: *: log.0 is missing'
finish
