#!/bin/bash
# A program with children replays without them; the children run unharmed; a
# program that becomes another one is recorded up to there.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "children" processes

cat >becomes.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    puts("before");
    fflush(stdout);
    execlp("sh", "sh", "-c", "echo after; exit 6", (char *)NULL);
    return 1;
}
END
ok "a program that becomes another builds" "$RECUT_CC" -o becomes becomes.c
exits "it is recorded" 6 "$RECUT" record -o becomes.trace ./becomes
same "and the other one runs" "$(cat .out)" "before
after"
ok "its replay ends with exec" "$RECUT" replay becomes.trace
like "and says so" "$(cat .out)" "before*the recording ends here*: another program took its place (exec)*"

cat >daemon.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    puts("before");
    fflush(stdout);
    if (daemon(1, 0) != 0)
        return 1;
    puts("to nobody");
    fflush(stdout);
    int fd = open("told", O_CREAT | O_WRONLY, 0600);
    if (write(fd, "done", 4) != 4)
        return 2;
    return 7;
}
END
ok "a daemon builds" "$RECUT_CC" -o daemon daemon.c
ok "it is recorded" "$RECUT" record --hash 1 -o daemon.trace ./daemon
for _ in $(seq 50); do [ -s told ] && break; sleep 0.1; done
sleep 0.2
exits "it is replayed to its own end" 7 "$RECUT" replay --verify daemon.trace
same "with what it printed" "$(cat .out)" before
finish
