# shellcheck shell=bash
package=gzip
system="automake, gnulib"
needs="less"
exes="gzip"
config=lib/config.h
# Debian's patches touch Makefile.am, which asks for an automake of that time.
patched=no
note="\`make check\`."

build() {
	./configure
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

suite() { make check -k; }

results() { results_automake; }
