# shellcheck shell=bash
package=wget
system="automake, gnulib"
needs="libssl-dev libidn2-dev libpcre2-dev zlib1g-dev uuid-dev libhttp-daemon-perl
libio-socket-ssl-perl python3"
exes="src/wget"
config=src/config.h
# The release as upstream made it: no automake is asked for again.
patched=no
attempts=2
note="\`make check\`: unit tests, and the suites in Perl and Python against
servers of theirs on loopback."

build() {
	./configure --with-ssl=openssl --disable-nls
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

suite() { make check -k; }

results() { results_automake; }
