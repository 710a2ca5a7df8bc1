#!/bin/bash
# Sorting and searching take the same steps in a replay, and leave no trace.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "sorting and searching" searching
same "nothing but output is in the log" \
	"$("$RECUT" events "$trace" 2>/dev/null | grep -o "[a-z_]*(" | sort -u)" "printf("
finish
