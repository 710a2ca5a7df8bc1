# shellcheck shell=bash
package=gzip
system="automake, gnulib"
needs="less"
exes="gzip"
config=lib/config.h
# The release as upstream made it: no automake is asked for again.
patched=no
note="\`make check\`."

build() {
	./configure
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

suite() { make check -k; }

results() { results_automake; }
