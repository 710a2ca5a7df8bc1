#!/bin/bash
# A library that nobody described: it keeps pointers and writes through them
# later, calls back, returns memory of its own and strings in it (iTarget §3.2).
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs

"$CLANG" -O2 -fPIC -shared -o libthird.so "$programs/third.c" || exit 1
export XDG_CACHE_HOME=$work/cache

for level in -O0 -O1 -O2 -O3; do
	"$RECUT_CC" -w -g $level -o use "$programs/third_use.c" -L. -lthird "-Wl,-rpath,$work" ||
		{ fail "builds at $level" </dev/null; continue; }
	"$RECUT" record -q -o "trace$level" ./use "$work/file" >recorded 2>recorded.err
	recorded=$?
	# The library is still loaded; what it is asked for comes from the log.
	mkdir -p elsewhere
	(cd elsewhere && "$RECUT" replay "../trace$level") >replayed 2>replayed.err </dev/null
	replayed=$?
	same "$level: exit" "$replayed" "$recorded"
	ok "$level: output" diff recorded replayed
	ok "$level: errors" diff recorded.err replayed.err
	"$RECUT" record -q -o "again$level" ./use "$work/file" >other 2>/dev/null
	# The test is one only if two runs differ.
	exits "$level: another run prints other things" 1 cmp -s recorded other
done

# A model makes the difference: nothing of the library's memory is looked at.
cat >third.model <<'MODEL'
int third_fill(void *out: out[n], int n);
MODEL
"$RECUT" record -q --model third.model -o modelled ./use "$work/file" >recorded 2>/dev/null
"$RECUT" replay modelled >replayed 2>replayed.err
ok "with a user's model: output" diff recorded replayed
like "with a user's model: the call is decoded" "$("$RECUT" events modelled)" '*third_fill(*32) = 32*'
# A string that ends with a page is read up to its end, however much its reader would take.
cat >edge.c <<'END_OF_C'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
void third_keep(int *number, char *text, size_t size);
int main(void) {
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), copy[1000];
    munmap(page + 4096, 4096);
    static int number;
    third_keep(&number, page, 8);
    strcpy(page + 4096 - 5, "text");
    strncpy(copy, page + 4096 - 5, sizeof copy - 1);
    printf("%s %d %.3s\n", copy, strncmp(copy, page + 4096 - 5, 100), page + 4096 - 5);
    return copy[500];
}
END_OF_C
"$RECUT_CC" -w -g -O1 -o edge edge.c -L. -lthird "-Wl,-rpath,$work"
"$RECUT" record -q -o edge.trace ./edge >recorded 2>&1
same "a string at the end of a page: it is recorded" "$(cat recorded)" "text 0 tex"
same "a string at the end of a page: and replayed" "$("$RECUT" replay edge.trace 2>&1)" "text 0 tex"
finish
