#!/bin/bash
# What a stream gives and what it shows is the same without its file.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

prepare() {
	printf 'first line\nsecond line\nthird line\nlast without an end' >input
	printf '2nd file' >second
}
replays "files, pipes, positions" streams
flags=-D_FORTIFY_SOURCE=2 replays "checked functions" streams
prepare() { seq 1 3000 >stdin; }
replays "lines" lines
prepare() { printf 'first line\nsecond line\n' >input; }

# No hashes of memory are taken of a program that looks into streams.
for level in 0 2; do
	"$RECUT_CC" -w -g -O$level -o handles "$root/test/replay/programs/handles.c" || exit 1
	rm -rf trace && prepare
	"$RECUT" record -q -o trace ./handles input >recorded
	rm input
	"$RECUT" replay trace >replayed 2>&1
	ok "a program that looks into streams, -O$level" diff recorded replayed
done
finish
