#!/bin/bash
# What libc prints by itself is shown again, and ends the program where it did.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

for way in 0 1 2 3 4; do replays "messages, end $way" messages $way; done
finish
