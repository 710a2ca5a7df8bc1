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
finish
