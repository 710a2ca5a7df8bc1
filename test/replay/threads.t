#!/bin/bash
# Programs with threads: what they print depends on who comes first, and a replay
# prints the same.
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs
runs=$([ -n "${RECUT_LONG-}" ] && echo 20 || echo 3)

# replays_always PROGRAM ARGS…: output, errors and exit of each replay are those of its
# recording, and its events can be shown.
replays_always() {
	local program=$1 level mode
	shift
	for level in 0 2; do
		if ! "$RECUT_CC" -w -g "-O$level" -o "$program" "$programs/$program.c" -lpthread >.out 2>&1; then
			fail "$program -O$level: builds" <.out
			continue
		fi
		for mode in --threads=causal --threads=serial --chaos; do
			replays_in_mode "$program" "-O$level" $mode "$@"
		done
	done
}

replays_in_mode() {
	local program=$1 name="$1 $2 $3 ${*:4}" mode=$3 i recorded replayed hash=1000 verify=--verify
	shift 3
	for ((i = 1; i <= runs; i++)); do
		# Memory is looked at in the first of them.
		[ $i = 1 ] || hash=0 verify=
		rm -rf trace here elsewhere && mkdir here elsewhere
		(cd here && timeout -k 5 300 "$RECUT" record -q --hash $hash $mode -o ../trace "../$program" "$@") >recorded 2>recorded.err
		recorded=$?
		(cd elsewhere && timeout -k 5 300 "$RECUT" replay $verify ../trace) >replayed 2>replayed.err </dev/null
		replayed=$?
		[ $recorded = $replayed ] && cmp -s recorded replayed && cmp -s recorded.err replayed.err &&
			"$RECUT" events trace >/dev/null 2>>replayed.err && continue
		{
			echo "run $i: exit $recorded, replayed $replayed"
			diff recorded replayed | head -n 6
			tail -n 8 replayed.err
		} >.out
		break
	done
	if [ $i -gt $runs ]; then
		pass "$name: $runs runs"
	else
		fail "$name: $runs runs" <.out
	fi
}

replays_always threads_locks
replays_always threads_heap
replays_always threads_io
replays_always threads_streams
replays_always threads_ends
replays_always threads_ends exit
replays_always threads_standard
replays_always threads_once
replays_always threads_atomics
replays_always threads_spin
replays_always threads_cancel
replays_always threads_last first
replays_always threads_last other
replays_always threads_last race
replays_always kill_other

# A crash of one of them: the same instruction, after the same output of all.
"$RECUT_CC" -w -g -O2 -o threads_crash "$programs/threads_crash.c" || exit 1
for how in "fault causal" "fault serial" "abort causal" "abort serial"; do
	read -r way mode <<<"$how"
	rm -rf trace
	"$RECUT" record --threads=$mode -o trace ./threads_crash $way >recorded 2>recorded.err
	recorded=$?
	like "$how in a thread: told" "$(cat recorded.err)" "*crashed with SIG*fail at threads_crash.c*run at threads_crash.c*"
	"$RECUT" replay trace >replayed 2>replayed.err
	same "$how in a thread: exit" "$?" "$recorded"
	ok "$how in a thread: output" diff recorded replayed
done

# Killed at any moment: what all threads logged replays, and is not damaged.
kills() {
	local program=$1 i good=0 count=$((2 * runs)) pid child
	for ((i = 0; i < count; i++)); do
		rm -rf trace
		"$RECUT" record -q -o trace "./$program" >/dev/null 2>&1 &
		pid=$!
		sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
		child=$(pgrep -P $pid) && kill -9 $child 2>/dev/null
		wait $pid 2>/dev/null
		[ -e trace/log.0 ] || { good=$((good + 1)); continue; }
		timeout -k 5 300 "$RECUT" replay trace >/dev/null 2>replayed.err
		case $? in
		0) good=$((good + 1)) ;;
		*) cp replayed.err .out ;;
		esac
	done
	if [ $good = $count ]; then pass "$program: killed $count times"; else fail "$program: killed $count times" <.out; fi
}
kills threads_locks
kills threads_heap
kills threads_atomics

# Asynchronous cancellation is not recorded, and says so; threads that wait to be cancelled then
# still clean up.
"$RECUT_CC" -w -g -O2 -o threads_cancel "$programs/threads_cancel.c" || exit 1
./threads_cancel >plain
for mode in causal serial; do
	"$RECUT" record --threads=$mode -o stopped.$mode ./threads_cancel stop >recorded 2>recorded.err
	same "a program that stops its recording runs on, $mode" "$?" 0
	like "and says where the recording ends, $mode" "$(cat recorded.err)" \
		"*recording ends here: pthread_cancel: a thread that is cancelled anywhere*"
	ok "and who waits to be cancelled cleans up, $mode" diff <(grep -v 'times\|^was' plain | sort) <(grep -v 'times\|^was' recorded | sort)
done
finish
