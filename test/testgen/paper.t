#!/bin/bash
# Cases of ReCrash in which tests of one crash are of different use: where the cause is not in the innermost
# function, its test goes on failing when the program is mended, and that of a caller passes.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache
programs=$root/test/testgen/paper

# case NAME INNERMOST CAUSE
case_of() {
	"$RECUT_CC" -g -O0 -o "$1" "$programs/$1.c"
	"$RECUT_CC" -g -O0 -DFIXED -o "$1.mended" "$programs/$1.c"
	("$RECUT" record -q -o "$1.trace" "./$1"; "$RECUT" monitor -q "./$1"; :) >/dev/null 2>&1
	for from in trace crash; do
		"$RECUT" test "$1.$from" -o "$1.tests" >"$1.said" 2>&1
		same "$1, $from: all functions reproduce" "$(grep -c ' reproduces$' "$1.said")" 3
		make -s -C "$1.tests" RECUT="$RECUT" PROG="$work/$1.mended" check >"$1.checked" 2>&1
		ok "$1, $from: what $2() was given is still wrong" grep -q "^FAIL  01_$2 " "$1.checked"
		ok "$1, $from: $3() does it no more" grep -q "^pass  02_$3\$" "$1.checked"
	done
}

# Figures 5 and 8.
case_of tests_of_use to_upper hex_abs
ok 'and it is the one to begin with' grep -q '^begin with 02_hex_abs: ' tests_of_use.said
# Section 5.2: init() is not on the stack.
case_of not_on_stack get_url run
finish
