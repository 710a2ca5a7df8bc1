#!/bin/bash
# Signals that were ignored or blocked when the program began are so in a replay, and others
# are not, whoever starts it.
. "$(dirname "$0")/../lib/tap.sh"

"$RECUT_CC" -w -o inherited "$root/test/replay/programs/inherited.c" || exit 1
(trap '' HUP USR1 && "$RECUT" record -q -o ignoring ./inherited) >recorded
like "the program finds a signal ignored" "$(cat recorded)" "1: ignored,*10: ignored*"
"$RECUT" replay ignoring >replayed
ok "a replay from where it is not" diff recorded replayed
"$RECUT" record -q -o plain ./inherited >recorded
(trap '' HUP USR1 TERM && "$RECUT" replay plain) >replayed
ok "a replay from where others are" diff recorded replayed
perl -e 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1, SIGHUP)); exec @ARGV' \
	"$RECUT" record -q -o blocking ./inherited >recorded
like "the program finds a signal blocked" "$(cat recorded)" "1: *, blocked*10: *, blocked*"
"$RECUT" replay blocking >replayed
ok "a replay from where it is not blocked" diff recorded replayed
finish
