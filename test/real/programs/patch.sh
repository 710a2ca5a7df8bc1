# shellcheck shell=bash
package=patch
version=2.7.6
# Debian's patches touch Makefile.am, which asks for an automake of that time.
patched=no
system="automake, gnulib"
needs="ed"
exes="src/patch"
config=config.h
# read-only-files finds nothing read-only when root asks.
as_nobody=yes
note="\`make check\`."

build() {
	./configure
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

suite() { make check; }

results() { results_automake; }
