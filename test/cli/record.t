#!/bin/bash
# recut record, recut replay: as a user meets them.
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache
chmod 755 "$work" # for the test as another user

cat >tell.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void die(int *where) { *where = 1; }

int main(int argc, char **argv) {
    char line[100] = "nothing\n";
    struct timespec now;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file && !fgets(line, sizeof line, file))
        return 9;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("read %s", line);
    printf("at %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    fflush(stdout);
    fprintf(stderr, "pid %d\n", (int)getpid());
    if (argc > 2 && strcmp(argv[2], "crash") == 0)
        die(NULL);
    for (int i = 0; argc > 3 && i < atoi(argv[3]); i++)
        access("/", R_OK);
    return argc > 2 ? atoi(argv[2]) : 0;
}
END
"$RECUT_CC" -g -o tell tell.c || exit 1
echo first >input

# said COMMAND…: its exit code and what it printed, on one line.
said() {
	local status
	"$@" >.said 2>&1 </dev/null
	status=$?
	echo "$status $(cat .said)"
}
# crashing OUT ERR COMMAND…: without what the shell says of it.
crashing() {
	local out=$1 err=$2
	shift 2
	{ "$@" >"$out" 2>"$err"; } 2>/dev/null
}

# --- what a command line can be ---------------------------------------------------------

for command in record replay; do
	like "$command --help" "$(said "$RECUT" $command --help)" "0 usage: recut $command *"
	like "help $command" "$(said "$RECUT" help $command)" "0 usage: recut $command *"
	like "$command: unknown option" "$(said "$RECUT" $command --nope)" \
		"2 recut $command: unknown option --nope*"
done
like 'record: no program' "$(said "$RECUT" record)" '2 recut record: no program given*'
like 'record -o without a directory' "$(said "$RECUT" record -o)" '2 recut record: *'
like 'record --hash wants a number' "$(said "$RECUT" record --hash often ./tell)" \
	'2 recut record: --hash wants a number of events, not often*'
like 'record: a model that is not there' "$(said "$RECUT" record --model absent.model ./tell)" \
	'1 recut record: cannot open absent.model: *'
echo 'int no_end(' >bad.model
like 'record: a model that is none' "$(said "$RECUT" record --model bad.model ./tell)" \
	'* recut record: bad.model:*'
like 'record: a program that is not there' "$(said "$RECUT" record ./absent)" \
	'1 recut record: ./absent: no such program'
like 'replay -g wants a number' "$(said "$RECUT" replay -g soon)" \
	'2 recut replay: --goto wants the number of an event, not soon*'
like 'replay: two traces' "$(said "$RECUT" replay one two)" '2 recut replay: one trace at a time*'
ok 'nothing of this left a trace' test ! -e traces/latest-trace

# --- what a program can be -------------------------------------------------------------

"$CLANG" -o foreign tell.c
same 'a program that recut-cc did not build' "$(said "$RECUT" record ./foreign input)" \
	"65 recut record: $work/foreign: no canonical program inside"
same 'the same without the word record' "$(said "$RECUT" ./foreign input)" \
	"65 recut record: $work/foreign: no canonical program inside"
echo '#!/bin/sh' >script
chmod 755 script
like 'a script' "$(said "$RECUT" record ./script)" '65 recut record: *'
like 'a folder' "$(said "$RECUT" record ./)" '* recut record: *'
ok 'none of these left a trace' test ! -e traces/latest-trace

# --- where the trace goes --------------------------------------------------------------

"$RECUT" record ./tell input >out 2>err
same 'record: nothing but the program on standard output' "$(wc -l <out)" 2
like 'record: nothing but the program on standard error' "$(cat err)" 'pid [0-9]*([0-9])'
same 'traces have numbers' "$(cd traces && echo tell-* "$(readlink latest-trace)")" 'tell-0 tell-0'
same 'a trace is its owner'"'"'s alone' "$(stat -c %a traces/tell-0)" 700
same 'so is the folder of traces' "$(stat -c %a traces)" 700
"$RECUT" ./tell input >out2 2>err2
same '`recut ./prog` records' "$(readlink traces/latest-trace)" tell-1
"$RECUT" replay >again 2>again.err
ok 'replay takes the last trace: output' diff out2 again
ok 'replay takes the last trace: errors' diff err2 again.err
"$RECUT" replay tell-0 >again 2>again.err
ok 'replay by name: output' diff out again
ok 'replay by name: errors' diff err again.err
(cd / && "$RECUT" replay "$work/traces/tell-0") >again 2>/dev/null
ok 'replay by path, from another folder' diff out again
(cd "$(dirname "$(readlink -f tell)")" && PATH=$PWD:$PATH "$RECUT" record -o by-path tell input) >/dev/null 2>&1
ok 'record finds a program by PATH' test -e by-path/log.0
"$RECUT" record -o here ./tell input >out 2>/dev/null
same 'record -o: the mode of a new folder' "$(stat -c %a here)" 700
"$RECUT" replay ./here >again 2>/dev/null
ok 'record -o: replays' diff out again
like 'record -o: a folder that is not empty' "$(said "$RECUT" record -o here ./tell input)" \
	'1 recut record: here is not empty'
ok 'record -o: which is left as it was' "$RECUT" replay ./here
like 'record -o: a file' "$(said "$RECUT" record -o input ./tell input)" '1 recut record: *input: *'
like 'record -o: a place where nothing can be made' \
	"$(said "$RECUT" record -o /proc/self/trace ./tell input)" \
	'1 recut record: cannot create /proc/self/trace: *'
like 'a folder of traces that cannot be made' \
	"$(RECUT_TRACE_DIR=/proc/self/traces said "$RECUT" record ./tell input)" '1 recut record: *'
"$RECUT" record -o 'a folder' ./tell input >out 2>/dev/null
"$RECUT" replay 'a folder' >again 2>/dev/null
ok 'a path with a space' diff out again
# The environment of the run is in there.
mkdir -m 755 open
"$RECUT" record -o open ./tell input >/dev/null 2>&1
ok 'record -o: in a folder that others can enter, they can read nothing' \
	test "$(find open -type f -perm /044)" = ''

# --- how it ends -----------------------------------------------------------------------

for code in 0 1 2 65 77 255; do
	same "exit $code, recorded" "$("$RECUT" record ./tell input $code >/dev/null 2>&1; echo $?)" $code
	same "exit $code, replayed" "$("$RECUT" replay >/dev/null 2>&1; echo $?)" $code
done
crashing out err "$RECUT" record -o crash ./tell input crash
same 'a crash, recorded' $? 139
crashing again again.err "$RECUT" replay crash
same 'a crash, replayed' $? 139
ok 'a crash: output' diff out again
like 'a crash: told' "$(cat err)" \
	'*recut: crashed with SIGSEGV: a null pointer was used*die at tell.c:*main at tell.c:*'
crashing out err "$RECUT" record -q -o quiet ./tell input crash
like 'record -q: a crash is not told' "$(cat err)" 'pid [0-9]*([0-9])'
"$RECUT" replay -q tell-0 >again 2>again.err
ok 'replay -q: no output' test ! -s again -a ! -s again.err

# --- options of a replay ---------------------------------------------------------------

opened=$("$RECUT" events tell-0 | sed -n 's/^ *#\([0-9]*\) .*clock_gettime.*/\1/p')
like 'replay -g stops' "$(said "$RECUT" replay -g "$opened" tell-0)" \
	"0 recut replay: stopped at event $opened*clock_gettime at tell.c:*main at tell.c:*"
last=$("$RECUT" events tell-0 | sed -n 's/^ *#\([0-9]*\) .*getpid.*/\1/p')
like 'replay -g: output up to there' "$(said "$RECUT" replay -g "$last" tell-0)" \
	'0 read first*at *stopped at event*'
unlogged=$("$RECUT" events tell-0 | awk '/need no log|needs no log/ { print n + 1; exit }
	{ n = substr($1, 2) }')
ok 'there is a call that is not in the log' test -n "$unlogged"
ok 'replay -g: stops there, too' \
	grep -q "stopped at event $unlogged" <(said "$RECUT" replay -g "$unlogged" tell-0)
ok 'replay -g: an event that never comes is told' \
	grep -q '^recut replay: ' <(said "$RECUT" replay -g 100000 tell-0)
"$RECUT" record --hash 1 -o hashes ./tell input 3 5 >/dev/null 2>&1
exits 'replay --verify' 3 "$RECUT" replay --verify hashes
ok 'the hashes are there' grep -q '"kind": *"hash"' <("$RECUT" dump --json hashes)
ok 'replay --verify: a trace without hashes is told of' \
	grep -q '^recut replay: ' <(said "$RECUT" replay --verify tell-0)

# --- what is not there, not ours, not the same -----------------------------------------

like 'replay of nothing' "$(RECUT_TRACE_DIR=$work/none said "$RECUT" replay)" \
	'1 recut replay: no trace yet in *'
like 'replay of a name that is none' "$(said "$RECUT" replay tell-99)" \
	'1 recut replay: no trace tell-99, *'
mkdir empty
like 'replay of an empty folder' "$(said "$RECUT" replay ./empty)" \
	'65 recut replay: ./empty: not a trace: *'
like 'replay of a file' "$(said "$RECUT" replay ./input)" '65 recut replay: ./input: is not a trace'
cp -r traces/tell-0 no-log
rm no-log/log.0
like 'replay of a trace without a log' "$(said "$RECUT" replay ./no-log)" '65 recut*no log*'
cp -r traces/tell-0 damaged
printf x | dd of=damaged/log.0 bs=1 seek=4200 conv=notrunc status=none
like 'replay of a damaged trace' "$(said "$RECUT" replay ./damaged)" \
	'65 recut replay: the trace is damaged *'
printf '\001' | dd of=damaged/trace bs=1 seek=100 conv=notrunc status=none
like 'replay of a trace with a damaged header' "$(said "$RECUT" replay ./damaged)" \
	'65 recut replay: ./damaged: trace: is damaged: *'
mv tell first-build
sed 's/read %s/got %s/' tell.c >other.c
"$RECUT_CC" -g -o tell other.c
same 'replay with another build' "$(said "$RECUT" replay tell-0)" \
	"65 recut replay: $work/traces/tell-0 was recorded with another build of $work/tell"
cp foreign tell
like 'replay with another program' "$(said "$RECUT" replay tell-0)" '65 recut replay: *'
rm tell
like 'replay without the program' "$(said "$RECUT" replay tell-0)" "1 recut replay: cannot open $work/tell: *"
mv first-build tell
exits 'the first build still replays' 0 "$RECUT" replay tell-0

# --- nothing is needed but the trace and the program -------------------------------------

"$RECUT" record -o alone ./tell input 5 >out 2>err
rm input
(cd / && env -i "$RECUT" replay "$work/alone") >again 2>again.err </dev/null
same 'without its input, in another folder, with no environment: exit' $? 5
ok 'without its input: output' diff out again
ok 'without its input: errors' diff err again.err
if unshare -n true 2>/dev/null; then
	unshare -n "$RECUT" replay alone >again 2>/dev/null
	ok 'without a network' diff out again
else
	skip 'without a network' 'unshare -n is not allowed'
fi
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups \
	test -x "$RECUT" -a -x "$work/tell"; then
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	like 'as another user: a trace is private' \
		"$(said "${as_nobody[@]}" "$RECUT" replay "$work/alone")" '1 recut replay: *Permission denied'
	chmod -R go+rX alone
	(cd / && env HOME=/nonexistent "${as_nobody[@]}" "$RECUT" replay "$work/alone") >again 2>/dev/null
	ok 'as another user, who may read it: output' diff out again
else
	skip 'as another user' 'root is needed, and a build that others may read'
fi

# --- a full disk ---------------------------------------------------------------------------

echo second >input
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=400k none small 2>/dev/null; then
	"$RECUT" record -o small/trace ./tell input 6 200000 >out 2>err
	same 'a full disk: the program runs on' $? 6
	like 'a full disk: and is not harmed' "$(cat out)" 'read second?at *'
	like 'a full disk: told once' "$(grep -v '^pid' err)" \
		'recut: recording ends here: the log: No space left on device'
	"$RECUT" replay small/trace >again 2>again.err
	same 'a full disk: what was recorded replays: exit' $? 0
	ok 'a full disk: what was recorded replays: output' diff out again
	like 'a full disk: where it ends is told' "$(grep -v '^pid' again.err)" \
		'recut replay: the recording ends here, after event *access at tell.c:*'
	ok 'a full disk: the log says so' \
		grep -q 'No space left on device' <("$RECUT" events small/trace 2>&1)
	umount small
	mount -t tmpfs -o size=8k none small
	like 'no room for a trace at all' "$(said "$RECUT" record -o small/trace ./tell input)" \
		'1 recut record: cannot write *: No space left on device'
	umount small
else
	skip 'a full disk' 'a small tmpfs needs root'
fi

# --- on a terminal -------------------------------------------------------------------------

if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	like 'on a terminal: where the trace is' \
		"$(script -qec "'$RECUT' record -o terminal ./tell input" /dev/null </dev/null)" \
		"*recut: recorded in *terminal*"
else
	skip 'on a terminal' 'script is not installed'
fi
# What is sent to recut is meant for the program.
cat >waits.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void note(int number) { got = number; }
int main(void) {
    signal(SIGTERM, note);
    signal(SIGUSR1, note);
    signal(SIGINT, note);
    puts("waits");
    fflush(stdout);
    while (!got)
        pause();
    printf("got %d\n", got);
    return 4;
}
END
ok "a program that waits builds" "$RECUT_CC" -o waits waits.c
for name in TERM USR1 INT; do
	rm -rf waited && : >waiting
	# A job in the background has SIGINT ignored, unless it is one of its own.
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$RECUT" record -q -o waited ./waits >waiting &
	pid=$!
	for ((i = 0; i < 100; i++)); do grep -q waits waiting && break || sleep 0.1; done
	sleep 0.1
	kill -$name $pid
	wait $pid
	same "SIG$name to recut record: the program's exit" "$?" 4
	like "SIG$name to recut record: the program got it" "$(cat waiting)" "waits*got $(kill -l $name)"
	"$RECUT" replay waited >again
	same "SIG$name to recut record: replayed" "$(cat again)" "$(cat waiting)"
done
finish
