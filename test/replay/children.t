#!/bin/bash
# Children are recorded with their parents, and each replays by itself.
. "$(dirname "$0")/../lib/tap.sh"
runs=$([ -n "${RECUT_LONG-}" ] && echo 20 || echo 3)

for level in 0 2; do
	for program in children parallel_children fork_handlers; do
		"$RECUT_CC" -w -g "-O$level" -o "$program$level" "$root/test/replay/programs/$program.c" || exit 1
	done
done

# check_all: each process of the trace prints what it printed, and ends as it did.
check_all() {
	local pid end
	"$RECUT" ps --json trace >processes || return 1
	grep -o '"pid":[^,]*' processes | tr -dc '0-9\n' | awk '!seen[$0]++' >pids
	for pid in $(cat pids); do
		grep "^$pid: " recorded >wanted
		timeout -k 5 300 "$RECUT" replay -p "$pid" trace >replayed 2>replayed.err </dev/null
		end=$?
		diff wanted replayed || { cat replayed.err; echo "process $pid"; return 1; }
		# Its parent was told how it ended, or it said so itself.
		end=$([ $end -ge 128 ] && printf '%x' $((end - 128)) || printf '%x' $((end << 8)))
		# What became a program that is not ours just ends there.
		grep -q "another program took its place" replayed.err && continue
		[ "$pid" = "$(head -n 1 pids)" ] || grep -q "child $pid ended: \(8\)\?$end\| child $pid ended: 86\|^$pid: ends: $end at" recorded || {
			echo "process $pid ended with $end"
			return 1
		}
		"$RECUT" events -p "$pid" trace >/dev/null || return 1
	done
}

for what in "children tree causal 7" "children talk causal 2" "children tree talk serial 8" \
	"children threads causal 4" "children threads serial 4" \
	"children become causal 4" "children become serial 4" \
	"children start causal 10" "children start serial 10" "children start threads causal 13" \
	"parallel_children causal 6" "parallel_children serial 6" \
	"fork_handlers causal 4" "fork_handlers serial 4"; do
	set -- $what
	program=$1 parts="${*:2:$#-3}" mode=${*: -2:1} count=${*: -1}
	for level in 0 2; do
		for ((i = 1; i <= runs; i++)); do
			rm -rf trace
			timeout -k 5 300 "$RECUT" record -q "--threads=$mode" -o trace "./$program$level" $parts >recorded 2>&1
			check_all >.out 2>&1 || break
			[ "$(wc -l <pids)" = "$count" ] || { echo "$(wc -l <pids) processes" >.out; break; }
		done 2>/dev/null
		if [ $i -gt $runs ]; then pass "$program $parts, $mode -O$level"; else fail "$program $parts, $mode -O$level" <.out; fi
	done
done

# A child is alone: no operation of another thread is before one of its own, though others had their turn
# when it was made.
"$RECUT_CC" -g -O2 -o fork_storm "$root/test/replay/programs/fork_storm.c" -lpthread
rm -rf trace
timeout -k 5 100 "$RECUT" record -q -o trace ./fork_storm $([ -n "${RECUT_LONG-}" ] && echo 400 || echo 60) >recorded 2>&1
for pid in $(cut -d: -f1 recorded); do
	"$RECUT" dump --json -p "$pid" trace
done | python3 -c '
import json, sys
decoder, text, at, wrong, count = json.JSONDecoder(), sys.stdin.read(), 0, 0, 0
def waits(part):
    if isinstance(part, dict):
        return (part.get("kind") == "order" and part["others"] > 0) or any(map(waits, part.values()))
    return isinstance(part, list) and any(map(waits, part))
while text[at:].strip():
    process, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
    wrong, count = wrong + waits(process), count + 1
print(wrong, "of", count)' >waiting
same 'a child waits for nobody' "$(cat waiting)" "0 of $(wc -l <recorded)"
pid=$(tail -n 1 recorded | cut -d: -f1)
same 'and the last one replays' "$("$RECUT" replay -p "$pid" trace)" "$(tail -n 1 recorded)"

./fork_handlers2 | sed 's/^[0-9]*: //; s/ at .*//; /ended/d' | sort >plain
"$RECUT" record -q ./fork_handlers2 | sed 's/^[0-9]*: //; s/ at .*//; /ended/d' | sort >recorded
ok "handlers run in a recording as they do by themselves" diff plain recorded
rm -rf trace
"$RECUT" record -q -o trace ./fork_handlers2 daemon >recorded
for ((i = 0; i < 100; i++)); do grep -q daemon recorded && break; sleep 0.1; done
"$RECUT" replay trace >replayed 2>&1
same "daemon(): nothing is replayed that was not there" "$(grep -vxFf recorded replayed)" ""
like "and its handlers are" "$(sed 's/^[0-9]*: //; s/ at .*//' replayed)" "*prepare 2 11
prepare 1 12
child 1 13
child 3 14
daemon 15"

# What libc or a shell starts is told by its environment where the trace is.
rm -rf trace trace.pack
"$RECUT" record -q -o trace ./children2 start >recorded 2>&1
like "ps says what started a program" "$("$RECUT" ps trace)" "*, started by event *: *children2*after exec: *children2*"
same "a program does not see that it is recorded" "$(grep -c invited recorded)" 0
ok "all of them can be packed" "$RECUT" pack -o trace.pack trace
rm -rf trace
"$RECUT" ps trace.pack >.out
pid=$(grep -o '[0-9]* *[0-9]* events, exit 7, started' .out | cut -d' ' -f1)
"$RECUT" replay -p "$pid" trace.pack >replayed 2>&1
same "and one that a shell started is replayed from there" "$? $(cat replayed)" "7 $(grep "^$pid:" recorded)"
cat >remove <<'END'
#!/bin/sh
# The trace is gone when a program is started.
rm -rf "$1"
./children2 5
END
chmod +x remove
cat >gone.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int arguments, char **argument) {
    (void)arguments;
    printf("%x\n", (unsigned)system(argument[1]));
    return 0;
}
END
"$RECUT_CC" -o gone gone.c
rm -rf trace
"$RECUT" record -q -o trace ./gone "./remove $PWD/trace" >recorded 2>.out
same "a trace that is gone keeps nobody from running" "$(grep -o 'ends: 500\|^500' recorded | tr '\n' ' ')" "ends: 500 500 "

rm -rf trace
"$RECUT" record -q -o trace ./children2 tree >recorded 2>&1
like "ps shows the tree" "$("$RECUT" ps trace)" "*exit 0*├ *made by event*│ └ *SIG*└ *exit 11*"
"$RECUT" replay -p 1 trace >.out 2>&1
same "a process that is not there" "$?" 1
like "is told in one line" "$(cat .out)" "recut replay: *: has no process 1 (\`recut ps\` lists them)"
"$RECUT" replay -p x trace >.out 2>&1
same "a process id that is none" "$?" 2
pid=$("$RECUT" ps trace | tail -n 1 | tr -dc '0-9 ' | awk '{print $1}')
rm "trace/pid.$pid/log.0"
"$RECUT" replay -p "$pid" trace >.out 2>&1
same "a child without its log" "$?" 65
"$RECUT" replay trace >replayed 2>&1
same "does not keep its parent from replaying" "$?" 0
"$RECUT" rm trace >.out 2>&1
ok "rm removes children, too" test ! -e trace
finish
