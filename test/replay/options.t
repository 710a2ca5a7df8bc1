#!/bin/bash
# Command lines are taken apart as libc does it, messages and all.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "letters" options short ab:c:: -a one -bvalue two -b value -c -cx three -- -a four
replays "errors" options short ab: -x -a -b
replays "errors that are not printed" options short :ab: -x -b
replays "no exchange" options short +ab: -a one -b two
replays "in order" options short -ab: one -a two -b x -- -a
replays "names" options long vo:W\; --verbose a --output=x b --out y --level --level=3 c --flag -o z
replays "names by -W" options long vo:W\; -W verbose -Woutput=q a -W nothing -W
replays "wrong names" options long vo: --ver --nothing --verbose=x --output
replays "names with one dash" options only vo: -verbose a -out=x -level=2 -v -vo q -ver -none
POSIXLY_CORRECT=1 replays "POSIX" options short ab: -a one -b two
finish
