#!/bin/bash
# Mappings replay at the same addresses with the same contents, and are part of
# the hash of memory; one whose place the kernel chooses ends the recording.
. "$(dirname "$0")/../lib/tap.sh"
. "$root/test/lib/replay.sh"

replays "mappings" mappings

cat >low.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    puts("begins");
    fflush(stdout);
    char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    *low = 1;
    puts("goes on");
    return 3;
}
END
ok "a program with a mapping in the lower half builds" "$RECUT_CC" -o low low.c
exits "it runs on" 3 "$RECUT" record -o low.trace ./low
like "and the recording says why it ends" "$(cat .out)" "*mmap: a mapping where the kernel places*"
ok "its replay ends there" "$RECUT" replay low.trace
like "and says so" "$(cat .out)" "*begins*the recording ends here*in*mmap*"

# The hash sees mappings: a program that writes what is not in the log.
cat >hidden.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    unsigned long *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    memory[7] = low;
    getppid();
    return 0;
}
END
ok "a program that reads the clock of the processor builds" "$RECUT_CC" -O2 -o hidden hidden.c
ok "it is recorded" "$RECUT" record --hash 1 -o hidden.trace ./hidden
exits "verification notices" 1 "$RECUT" replay --verify hidden.trace
like "and says where" "$(cat .out)" "*memory: heap, mappings*"
finish
