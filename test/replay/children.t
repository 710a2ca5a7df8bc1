#!/bin/bash
# Children are recorded with their parents, and each replays by itself.
. "$(dirname "$0")/../lib/tap.sh"
runs=$([ -n "${RECUT_LONG-}" ] && echo 20 || echo 3)

for level in 0 2; do
	"$RECUT_CC" -w -g "-O$level" -o "children$level" "$root/test/replay/programs/children.c" || exit 1
done

# check_all: each process of the trace prints what it printed, and ends as it did.
check_all() {
	local pid end
	"$RECUT" ps --json trace >processes || return 1
	grep -o '"pid":[^,]*' processes | tr -dc '0-9\n' | awk '!seen[$0]++' >pids
	for pid in $(cat pids); do
		grep "^$pid: " recorded >wanted
		timeout -k 5 30 "$RECUT" replay -p "$pid" trace >replayed 2>replayed.err </dev/null
		end=$?
		diff wanted replayed || { cat replayed.err; echo "process $pid"; return 1; }
		# Its parent was told how it ended.
		end=$([ $end -ge 128 ] && printf '%x' $((end - 128)) || printf '%x' $((end << 8)))
		# What became a program that is not ours just ends there.
		grep -q "another program took its place" replayed.err && continue
		[ "$pid" = "$(head -n 1 pids)" ] || grep -q "child $pid ended: \(8\)\?$end\| child $pid ended: 86" recorded || {
			echo "process $pid ended with $end"
			return 1
		}
		"$RECUT" events -p "$pid" trace >/dev/null || return 1
	done
}

for what in "tree causal 7" "talk causal 2" "tree talk serial 8" "threads serial 4" "become causal 4" "become serial 4"; do
	set -- $what
	parts="${*:1:$#-2}" mode=${*: -2:1} count=${*: -1}
	for level in 0 2; do
		for ((i = 1; i <= runs; i++)); do
			rm -rf trace
			timeout -k 5 30 "$RECUT" record -q "--threads=$mode" -o trace "./children$level" $parts >recorded 2>&1
			check_all >.out 2>&1 || break
			[ "$(wc -l <pids)" = "$count" ] || { echo "$(wc -l <pids) processes" >.out; break; }
		done 2>/dev/null
		if [ $i -gt $runs ]; then pass "$parts, $mode -O$level"; else fail "$parts, $mode -O$level" <.out; fi
	done
done

# With threads in parallel nobody knows what the others had done: such children are not recorded.
rm -rf trace
"$RECUT" record -q -o trace ./children2 threads >recorded 2>&1
"$RECUT" replay trace >replayed 2>&1
same "a program with threads, in parallel: one process" "$("$RECUT" ps trace | wc -l)" 1
ok "which replays" diff <(grep "^$("$RECUT" ps trace | cut -d' ' -f1):" recorded) replayed

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
