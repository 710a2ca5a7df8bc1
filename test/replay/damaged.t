#!/bin/bash
# Traces of several threads and processes from which something is gone: one line says what, and all
# the rest is shown.
. "$(dirname "$0")/../lib/tap.sh"

ok "builds" "$RECUT_CC" -w -g -O1 -o parts "$root/test/replay/programs/parts.c"
"$RECUT" record -q -o threads ./parts threads >recorded 2>&1
same "threads are recorded" $? 4
"$RECUT" record -q -o family ./parts >recorded 2>&1
same "processes are recorded" $? 5
first=$(sed -n 's/: family$//p' recorded)
child=$(sed -n 's/: child$//p' recorded)
grandchild=$(sed -n 's/: grandchild$//p' recorded)

copy() { rm -rf bad && cp -r "$1" bad; }

# says COMMAND… LINE: one line on stderr, like this, and 65
says() {
	local line=${*: -1}
	timeout 300 "$RECUT" "${@:1:$#-1}" >out 2>err </dev/null
	same "${*:1:$#-1}: exit" $? 65
	like "${*:1:$#-1}: says what" "$(cat err)" "$line"
	same "${*:1:$#-1}: in one line" "$(wc -l <err)" 1
}

# all_say LINE: every command that reads, each of which goes on
all_say() {
	says events bad "recut events: $1"
	says events --json bad "recut events: $1"
	ok 'which is JSON' python3 -m json.tool out
	says dump bad "recut dump: $1"
	says dump --json bad "recut dump: $1"
	ok 'which is JSON' python3 -m json.tool out
	says dump --check bad "recut dump: $1"
	says ps bad "recut ps: $1"
	says ps --json bad "recut ps: $1"
	like 'which has it, too' "$(python3 -m json.tool out)" '*"error": *'
}

# --- whole ---------------------------------------------------------------------------------------

for trace in threads family; do
	for command in events dump 'dump --check' ps; do
		"$RECUT" $command $trace >"whole.$trace.${command%% *}" 2>err
		same "$command $trace: exit" $? 0
		same "$command $trace: nothing on stderr" "$(cat err)" ''
	done
done
"$RECUT" events threads >whole.threads.events
"$RECUT" events family >whole.family.events

# --- a thread ------------------------------------------------------------------------------------

copy threads && rm bad/log.2
all_say '*bad: log.2 is missing: event * of thread 0 made that thread'
"$RECUT" events bad >out 2>err
same 'the other threads are shown' "$(grep '^thread' out | xargs)" 'thread 0 thread 1 thread 3'
same 'with all of their events' "$(cat out)" "$(sed '/^thread 2/,/^thread 3/{/^thread 3/!d}' whole.threads.events)"
"$RECUT" replay bad >out 2>err
same 'a replay without the log of a thread: exit' $? 65
like 'a replay without the log of a thread: which' "$(cat err)" 'recut: cannot replay: *: log.2'
copy threads && rm bad/log.1 bad/log.3
all_say '*bad: log.1 is missing: * made that thread, and 1 more are missing'
copy threads && rm bad/log.0
all_say '*bad: log.0 is missing'
says replay bad 'recut: cannot replay *bad: it has no log'
copy threads && head -c 6000 /dev/zero >bad/log.2
says events bad 'recut events: *bad: log.2: is not a log of recut'\''s'
same 'a log that is none does not keep the others from being shown' "$(grep -c 'the thread is over' out)" 2
says replay bad 'recut replay: *bad: log.2: is not a log of recut'\''s'
copy threads && printf '\377' | dd of=bad/log.0 bs=1 seek=4300 conv=notrunc status=none
says events bad 'recut events: *bad: log.0: is damaged at byte 4096: the checksum of a chunk is wrong'
same 'nor does one that is damaged' "$(grep -c 'the thread is over' out)" 3
says dump --check bad 'recut dump: *bad: log.0: is damaged at byte 4096: *'

# --- a process -----------------------------------------------------------------------------------

# The events of all others are as they were.
others() {
	"$RECUT" events bad >out 2>err
	same "$1" "$(awk -v p="process $2" '/^process/ { mine = $0 == p } !mine' out)" \
		"$(awk -v p="process $2" '/^process/ { mine = $0 == p } !mine' whole.family.events)"
	"$RECUT" replay bad >out 2>err
	same "the first process replays" "$? $(cat out)" "5 $(grep "^$first: " recorded)"
}

copy family && rm "bad/pid.$grandchild/log.0"
all_say "*bad/pid.$grandchild: log.0 is missing"
says replay -p "$grandchild" bad "recut: cannot replay *bad/pid.$grandchild: its log is missing or damaged"
others 'a process without its log: the others' "$grandchild"
like 'ps shows it all the same' "$("$RECUT" ps bad 2>/dev/null)" "*$grandchild  0 events*$grandchild *exit 7, after exec*"

copy family && head -c 6000 /dev/urandom >"bad/pid.$grandchild/log.0"
says events bad "recut events: *bad/pid.$grandchild: log.0: is not a log of recut's"
says ps bad "recut ps: *bad/pid.$grandchild: log.0: is not a log of recut's"
like 'ps has a line for it' "$(cat out)" "*$grandchild  damaged, made by event*"
says replay -p "$grandchild" bad "recut replay: *bad/pid.$grandchild: log.0: is not a log of recut's"
others 'a process whose log is none: the others' "$grandchild"

for how in missing damaged; do
	copy family
	rm "bad/pid.$grandchild/process"
	[ $how = missing ] || head -c 100 /dev/urandom >"bad/pid.$grandchild/process"
	all_say "*bad/pid.$grandchild: the file process is $how"
	says replay -p "$grandchild" bad "recut replay: *bad/pid.$grandchild: the file process is $how"
	says events -p "$grandchild" bad "recut events: *bad/pid.$grandchild: the file process is $how"
	ok 'its events are shown' grep -q getpid out
	others "a process whose file is $how: the others" "$grandchild"
	same 'another one replays' "$("$RECUT" replay -p "$child" bad 2>&1)" "$(grep "^$child: " recorded)"
done

copy family && rm -r "bad/pid.$child"
all_say "*bad/pid.$grandchild: its parent $child is not in the trace"
says replay -p "$grandchild" bad "recut replay: *bad/pid.$grandchild: its parent $child is not in the trace"
others 'a process whose parent is gone' "$child"

copy family && rm bad/process
all_say '*bad: the file process is missing'
same 'children whose only possible parent is that one' "$("$RECUT" replay -p "$child" bad 2>&1)" "$(grep "^$child: " recorded)"

copy family && sed -i "s/^parent .*/parent $grandchild/" "bad/pid.$child/process"
timeout 300 "$RECUT" ps bad >out 2>err
same 'parents of each other: exit' $? 65
same 'parents of each other: all are there' "$(grep -c "$child\|$grandchild" out)" 6

# --- one process -----------------------------------------------------------------------------------

"$RECUT" dump family >all
"$RECUT" dump -p "$grandchild" family >one
same 'dump: all processes' "$(grep -c '^process ' all)" 7
same 'dump -p: one, with what it became' "$(grep -c '^program  ' one)" 2
ok 'dump -p: its arguments' grep -q '^ *"last"' one
ok 'dump -p: not those of others' bash -c '! grep -q chain one'
count() { "$RECUT" dump --json "$@" family | python3 -c '
import json, sys
trace = json.load(sys.stdin)
processes = [trace] + trace.get("processes", [])
print(*[p["pid"] for p in processes], sum(len(p["events"]) for p in processes))'; }
same 'dump --json: all processes, and their events' "$(count)" \
	"$first $child $grandchild $grandchild $child $child $child $(grep -c '^ *[0-9]*  #' all)"
same 'dump --json --process' "$(count --process "$grandchild")" "$grandchild $grandchild $(grep -c '^ *[0-9]*  #' one)"
copy family && rm "bad/pid.$grandchild/log.0"
exits 'dump --check -p of a damaged one' 65 "$RECUT" dump --check -p "$grandchild" bad
exits 'dump --check -p of another' 0 "$RECUT" dump --check -p "$child" bad
exits 'dump -p of none' 1 "$RECUT" dump -p 1 family
like 'which is told' "$(cat .out)" "recut dump: family: has no process 1 (\`recut ps\` lists them)"
exits 'dump -p of no number' 2 "$RECUT" dump -p x family
exits 'dump -p of a program' 2 "$RECUT" dump -p 1 ./parts
finish
