#!/bin/bash
# Wide text goes in and out as the recorded run converted it.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

prepare() {
	printf '\303\244nderung\nnext line\n17 gr\303\274n rest\nlast' >input
	echo 99 >stdin
}
LC_ALL=C.UTF-8 replays "wide streams in C.UTF-8" wide
prepare() {
	printf 'a\nnext line\n17 green rest\nlast' >input
	echo 99 >stdin
}
LC_ALL=C replays "wide streams in C" wide
finish
