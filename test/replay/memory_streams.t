#!/bin/bash
# Memory that streams write is the same in a replay, byte for byte.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "streams in memory" memory_streams
finish
