#!/bin/bash
# A program goes on when its recording ends.
. "$(dirname "$0")/../lib/tap.sh"

for level in 0 2; do
	"$CLANG" -w -O$level -pthread -o plain "$root/test/replay/programs/after_end.c" &&
		"$RECUT_CC" -w -g -O$level -pthread -o after_end "$root/test/replay/programs/after_end.c" || exit 1
	./plain >plain.out
	for mode in causal serial; do
		rm -rf trace
		timeout -k 5 300 "$RECUT" record --threads=$mode -o trace ./after_end >recorded 2>recorded.err
		same "exit, $mode -O$level" "$?" 0
		like "it says why, $mode -O$level" "$(cat recorded.err)" "recut: recording ends here: ptrace: *"
		ok "the same output, $mode -O$level" diff plain.out recorded
		"$RECUT" replay trace >replayed 2>replayed.err
		like "replayed up to there, $mode -O$level" "$(cat replayed.err)" "*the recording ends here*"
	done
done
finish
