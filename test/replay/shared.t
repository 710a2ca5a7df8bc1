#!/bin/bash
# What other processes write into memory that the program reads is replayed: all
# of it by itself where the program says that it shares memory, with --shared
# where it cannot be told.
. "$(dirname "$0")/../lib/tap.sh"
source=$root/test/replay/programs/shared.c

"$CLANG" -O2 -o writer "$source" || exit 1
for level in -O0 -O1 -O2 -O3; do
	"$RECUT_CC" -w -g $level -o shared "$source" || { fail "builds at $level" </dev/null; continue; }
	timeout 60 ./writer write board &
	writer=$!
	"$RECUT" record -q -o "trace$level" ./shared board >recorded 2>recorded.err
	recorded=$?
	kill $writer 2>/dev/null
	wait $writer 2>/dev/null
	rm -f board
	(mkdir -p elsewhere && cd elsewhere && "$RECUT" replay "../trace$level") \
		>replayed 2>replayed.err </dev/null
	same "$level: exit" "$?" "$recorded"
	ok "$level: output" diff recorded replayed
	ok "$level: errors" diff recorded.err replayed.err
	same "$level: the program ran through" "$recorded" 0
	# The test is one only if others wrote while it was read.
	ok "$level: others wrote" test "$(sort -u recorded | wc -l)" -gt 24
done

# Flags that nobody sees beforehand.
cat >computed.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    volatile int *number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, atoi(argv[1]), -1, 0);
    if (fork() == 0)
        _exit((*number = getpid()) == 0);
    wait(NULL);
    printf("%d\n", *number);
    return argc - 2;
}
END
ok "a program with computed flags builds" "$RECUT_CC" -o computed computed.c
"$RECUT" record -o silent ./computed 33 >recorded 2>errors
like "without --shared: that it is not recorded is said" "$(cat errors)" "*recut record --shared*"
"$RECUT" record --shared -o shared.trace ./computed 33 >recorded 2>errors
same "with --shared: nothing is said" "$(cat errors)" ''
ok "with --shared: it replays" "$RECUT" replay shared.trace
same "with --shared: output" "$(cat .out)" "$(cat recorded)"
finish
