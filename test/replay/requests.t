#!/bin/bash
# Calls whose effects follow from a request number replay, and what nobody
# knows ends the recording by name and number.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "requests" requests

cat >unknown.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char buffer[64] = "";
    (void)argv;
    puts("begins");
    if (argc > 2)
        printf("known to a terminal: %d\n", ioctl(open("/dev/ptmx", O_RDWR), TIOCEXCL, buffer));
    else if (argc > 1)
        printf("known to nobody: %d\n", ioctl(1, 0x5d5d, buffer));
    else
        syscall(SYS_brk, 0);
    puts("goes on");
    return 3;
}
END
ok "a program with unknown requests builds" "$RECUT_CC" -o unknown unknown.c
exits "a system call that passes the runtime by: the program runs on" 3 \
	"$RECUT" record -o brk ./unknown
like "and the recording says why it ends" "$(cat .out)" "*syscall: system call 12 has no model*"
if (: <>/dev/ptmx) 2>/dev/null; then
	exits "an unknown request with a pointer: the program runs on" 3 \
		"$RECUT" record -o request ./unknown x y
	like "and the recording says why it ends" "$(cat .out)" \
		"*ioctl: request 21516 has no model*known to a terminal: 0*"
else
	skip "an unknown request with a pointer" "there are no pseudo-terminals here"
fi
exits "an unknown request that fails is recorded" 3 "$RECUT" record -o failed ./unknown x
exits "and replays" 3 "$RECUT" replay failed
same "with its result" "$(cat .out)" "$(printf 'begins\nknown to nobody: -1\ngoes on')"
finish
