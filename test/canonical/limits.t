#!/bin/bash
# Limits of the shell mean for a canonical program what they mean for any other.
. "$(dirname "$0")/../lib/tap.sh"

cat >frugal.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t mib = (size_t)atoi(argv[1]), got = 0;
    (void)argc;
    for (; got < mib; got++) {
        char *block = malloc(1 << 20);
        if (!block)
            break;
        memset(block, 1, 1 << 20);
    }
    puts(got == mib ? "all" : "not all");
    return 0;
}
C
ok 'clang' "$CLANG" -O2 frugal.c -o plain
ok 'recut-cc' "$RECUT_CC" -O2 frugal.c -o recut

# limited NAME FLAG KIB MIB: both programs get as much under this limit.
limited() {
	local name=$1 flag=$2 kib=$3 mib=$4 plain recut
	plain=$(ulimit "$flag" "$kib" && ./plain "$mib" 2>&1; echo "exit $?")
	recut=$(ulimit "$flag" "$kib" && ./recut "$mib" 2>&1; echo "exit $?")
	same "$name" "$recut" "$plain"
}
limited 'no limit reached' -v 1000000 100
limited 'ulimit -v, enough' -v 300000 100
limited 'ulimit -v, too little' -v 100000 200
limited 'ulimit -d, enough' -d 150000 100
limited 'ulimit -d, just a little' -d 10000 2
limited 'ulimit -d, too little' -d 50000 100
limited 'ulimit -s, small' -s 256 10
limited 'ulimit -s, unlimited' -s unlimited 10
limited 'ulimit -s, large' -s 1000000 10
finish
