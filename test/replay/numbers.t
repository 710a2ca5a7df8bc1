#!/bin/bash
# System calls by number, and pointers that lead nowhere.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

prepare() { printf 'this is what the file holds, and a bit more\n' >input; }
flags=-pthread
native=no # how much time is left
replays "by number, causal" numbers
options=--threads=serial replays "by number, serial" numbers
finish
