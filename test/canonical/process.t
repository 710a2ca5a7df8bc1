#!/bin/bash
# What others see of a canonical program: its arguments, and its stack.
. "$(dirname "$0")/../lib/tap.sh"

cat >title.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
static void show(const char *file) {
    char text[4096] = {0};
    int fd = open(file, O_RDONLY);
    ssize_t size = read(fd, text, sizeof text - 1);
    for (ssize_t i = 0; i < size; i++)
        putchar(text[i] ? text[i] : '|');
    putchar('\n');
    close(fd);
}
int main(int argc, char **argv) {
    unsigned size = 0;
    (void)argc;
    if (prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, &size, 0, 0) != 0) {
        puts("not allowed");
        return 0;
    }
    show("/proc/self/cmdline");
    show("/proc/self/environ");
    memcpy(argv[1], "THE TITLE", 9);
    show("/proc/self/cmdline");
    return 0;
}
C
cat >trace.c <<'C'
#include <execinfo.h>
#include <stdio.h>
static int depth(int n) {
    void *frames[100];
    volatile int result = n ? depth(n - 1) : backtrace(frames, 100);
    return result;
}
int main(void) { printf("%d\n", depth(20) - depth(10)); return 0; }
C
for link in '' -static; do
	for source in title trace; do
		# shellcheck disable=SC2086
		ok "clang $link $source" "$CLANG" -O1 $link $source.c -o $source.plain
		# shellcheck disable=SC2086
		ok "recut-cc $link $source" "$RECUT_CC" -O1 $link $source.c -o $source.recut
	done
	shown() { cp "$1" program; env -i A=b CD=ef ./program 'first argument' second; }
	if [ "$(shown title.plain)" = 'not allowed' ]; then
		skip "the title $link" 'this kernel lets no program move its arguments'
	else
		same "the title $link" "$(shown title.recut)" "$(shown title.plain)"
	fi
	same "a trace of the stack ends $link" "$(./trace.recut)" "$(./trace.plain)"
done
finish
