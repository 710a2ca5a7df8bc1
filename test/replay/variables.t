#!/bin/bash
# The environment's variables are the program's own in a replay.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

export GIVEN='a value'
unset _ OLDPWD PWD SHLVL
export -n RECUT_CC # the names that begin so are recut's
replays "environment variables" variables
finish
