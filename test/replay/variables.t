#!/bin/bash
# The environment's variables are the program's own in a replay.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

export GIVEN='a value'
unset _ OLDPWD PWD SHLVL
for name in ${!RECUT*}; do export -n "${name?}"; done # such names are recut's
replays "environment variables" variables
finish
