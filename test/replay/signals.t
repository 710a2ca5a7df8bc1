#!/bin/bash
# Signals that a program sends to itself strike at the same place in replay,
# its handlers are its own, and the runtime's are not seen.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "signals" signals
replays "death by SIGTERM" signals 15
replays "death by SIGABRT" signals 6
replays "what is blocked in handlers" masks
options=--threads=serial replays "what is blocked in handlers, serial" masks
finish
