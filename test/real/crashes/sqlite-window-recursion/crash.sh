# sqlite3 3.40.1 resolves a window that is defined by itself for ever, after an error (upstream bada54bd, Debian's 0002-Avoid-a-stack-overflow)
# shellcheck shell=bash disable=SC2034,SC2086,SC2016
package=sqlite3 version=3.40.1 patched=yes
exe=sqlite3
signal=SIGSEGV
cause=resolveExprStep
build() {
	[ -f Makefile ] || CC=clang-19 ./configure --disable-tcl --disable-readline
	make sqlite3.c shell.c &&
		$CC -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_HAVE_ZLIB -o sqlite3 shell.c sqlite3.c -lz -lm
}
setup() {
	printf '%s\n' 'CREATE TABLE t1(x);' 'SELECT min(x) OVER w1 FROM t1 WINDOW w1 AS (PARTITION BY zipfile(x, x) OVER w1);' >stdin
}
arguments=()
