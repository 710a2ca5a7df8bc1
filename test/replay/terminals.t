#!/bin/bash
# Terminals by their names: what a capability is stays where it was, numbers that stand for no text
# are none, and no load of the program needs a log.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

flags=-ltinfo replays "capabilities" terminals
like 'every function has a model' "$("$RECUT" info "$work/terminals-O2/recorded/terminals")" '*without a model   0*'
like 'a number in place of a text is shown as one' "$("$RECUT" events "$trace")" '*tigetstr("cols") = -1*'
finish
