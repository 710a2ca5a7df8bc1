#!/bin/bash
# Signals from outside: their handlers run at the same place in a replay, to the step.
. "$(dirname "$0")/../lib/tap.sh"
runs=$([ -n "${RECUT_LONG-}" ] && echo 20 || echo 3)

for level in 0 2; do
	"$RECUT_CC" -w -g "-O$level" -o "async$level" "$root/test/replay/programs/async.c" || exit 1
done

# replays PART MODE: what a handler saw, and when, is in what the program prints.
replays() {
	local part=$1 mode=$2 level i
	for level in 0 2; do
		for ((i = 1; i <= runs; i++)); do
			rm -rf trace
			timeout -k 5 300 "$RECUT" record -q "$mode" -o trace "./async$level" "$part" >recorded 2>&1
			recorded=$?
			timeout -k 5 300 "$RECUT" replay trace >replayed 2>&1 </dev/null
			replayed=$?
			[ $recorded = $replayed ] && cmp -s recorded replayed &&
				"$RECUT" events trace >/dev/null 2>>replayed && continue
			{
				echo "run $i: exit $recorded, replayed $replayed"
				diff recorded replayed | head -n 6
			} >.out
			break
		done
		if [ $i -gt $runs ]; then pass "$part ${mode#--} -O$level"; else fail "$part ${mode#--} -O$level" <.out; fi
	done
}

for part in calls silent waits jumps tells storm floods nests; do
	for mode in --threads=causal --threads=serial --chaos=3; do replays $part $mode; done
done
replays computes --threads=serial

# Without ticks there is no place for it: the program is not kept waiting, and that is told.
ok "a loop without calls runs on" timeout 300 "$RECUT" record -o ended ./async2 computes
like "and recording ends, with a reason" "$(cat .out)" "*recording ends here: a signal: *--threads=serial*alarms 20*"

# Each of the flood came, in order; no handler ran inside one that kept it out.
for mode in causal serial; do
	"$RECUT" record -q "--threads=$mode" -o "flood.$mode" ./async2 floods nests >out 2>&1
	like "none is lost, none comes too early, $mode" "$(cat out)" \
		"floods: values 2000, wrong 0,*nests: 1 1, broken 0,*"
done

# A replay is not disturbed by signals that were not in the run, and can be ended by one.
"$RECUT" record -q --threads=serial -o long ./async2 computes >recorded
for _ in 1 2 3; do
	"$RECUT" replay long >replayed 2>&1 &
	for _ in $(seq 20); do pkill -WINCH -P $! 2>/dev/null || :; done
	wait $!
	cmp recorded replayed || break
done >.out 2>&1
ok "signals for a replay do not reach the program" cmp recorded replayed

"$RECUT" record -q -o trace2 ./async2 calls >/dev/null
like "events show signals" "$("$RECUT" events trace2)" "*SIGALRM: its handler runs*"
finish
