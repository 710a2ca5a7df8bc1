# shellcheck shell=bash
package=mc
system="automake, libtool"
needs="libglib2.0-dev libslang2-dev check pkg-config"
exes="src/mc"
config=config.h
# The release as upstream made it: no automake is asked for again.
patched=no
build_limit=900
suite_limit=300
note="\`make check\`: unit tests of its libraries and of the program, with check."

build() {
	./configure --with-screen=slang --enable-tests --disable-nls --without-x \
		--enable-vfs-sftp=no
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

suite() { make -k check; }

results() { results_automake; }
