#!/bin/bash
# A program that is killed at any moment leaves a trace that replays to its end.
#
#   kills.t             30 kills, RECUT_LONG=1: 300
#   kills.t COUNT SEED  as many, other moments
. "$(dirname "$0")/../lib/tap.sh"
count=${1:-$(is_long && echo 300 || echo 30)}
RANDOM=${2:-1}

"$RECUT_CC" -O2 -g -o busy "$root/test/replay/programs/busy.c" || exit 1

# What the replay prints is what was printed before, but for the call that the
# kill came into: that one may be missing.
is_beginning() {
	local size
	size=$(stat -c %s "$2")
	cmp -s -n "$size" "$1" "$2" && [ $(($(stat -c %s "$1") - size)) -le 200 ]
}

bad=0
for ((i = 1; i <= count; i++)); do
	rm -rf trace
	"$RECUT" record -q -o trace ./busy "$i" >recorded 2>recorded.err &
	recorder=$!
	# As soon as it is there, and in the middle of everything.
	delay=$((RANDOM % 250))
	sleep "0.$(printf %03d $delay)"
	until program=$(pgrep -P $recorder -x busy) || ! kill -0 $recorder 2>/dev/null; do
		sleep 0.01
	done
	kill -KILL "$program" 2>/dev/null
	wait $recorder 2>/dev/null
	[ -e trace/log.0 ] || continue
	timeout 300 "$RECUT" replay trace >replayed 2>replayed.err </dev/null
	status=$?
	if [ $status != 0 ] || ! is_beginning recorded replayed; then
		bad=$((bad + 1))
		[ $bad -gt 3 ] || {
			echo "kill $i after $delay ms: exit $status"
			cat replayed.err
			ls -l recorded replayed
		} | sed 's/^/# /'
		mv trace "trace.$i"
	fi
done 2>/dev/null
if [ $bad = 0 ]; then pass "$count kills"; else fail "$count kills: $bad traces do not replay" </dev/null; fi
finish
