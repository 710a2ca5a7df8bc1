#!/bin/bash
# Functions of libc's on both sides of a cut: what they write, hand out and call back is in the replay what it
# was.  RECUT_LONG=1 tries every target by every strategy.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache RECUT_TRACE_DIR=$work/traces
programs=$root/test/cut/programs
cuts="use:eager use:tight make:tight whole:mincut"
is_long && cuts="use:eager use:tight use:mincut make:eager make:tight make:mincut whole:eager whole:tight whole:mincut"

# try PROGRAM HOW: prints what went wrong
try() {
	local cut target strategy status
	"$RECUT_CC" -w -g -O1 "-DHOW=$2" -o tried "$programs/$1.c" -lm || return
	for cut in $cuts; do
		target=${cut%:*} strategy=${cut#*:}
		rm -rf tried.cut tried.trace
		"$RECUT" cut -q -t "$target" --strategy="$strategy" -o tried.cut ./tried 2>refused || {
			echo "$cut: $(tail -n 1 refused)"
			continue
		}
		timeout 60 "$RECUT" record -q --hash 1 --cut tried.cut -o tried.trace ./tried >recorded 2>&1 </dev/null
		status=$?
		timeout 60 "$RECUT" replay --verify tried.trace >replayed 2>&1 </dev/null
		[ "$? $(cat recorded replayed)" = "$status " ] || echo "$cut: $(head -n 3 recorded replayed)"
	done
}

for program in blocks externals; do
	last=$(grep -o 'case [0-9]*:' "$programs/$program.c" | tail -n 1 | tr -dc 0-9)
	for how in $(seq 0 "$last"); do
		same "$program $how: replays as it ran" "$(try $program "$how" 2>&1)" ''
	done
done
finish
