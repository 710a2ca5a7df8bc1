# shellcheck shell=bash
package=make-dfsg
patched=no
system="automake"
needs="autopoint gettext pkg-config libbsd-resource-perl"
exes="make"
config=src/config.h
# Jobs that are to end in some order sleep for a second each.
attempts=2
note="\`run_make_tests\`, one result a file, with 1,024 descriptors. Tests of make as a
loader of plugins and of Guile skip themselves."
replays=none
replays_note="Recorded at work, see below: in its own suite most of what is printed comes from the tools."
loads="causal serial"
loads_note="\`make -j2\` builds a library of its own source, with a compiler, a shell and \`ar\` that are
environment."

build() {
	autoreconf -fi
	./configure --disable-nls --without-guile
	make -j"$JOBS"
}

suite() {
	ulimit -n 1024
	cd tests && perl ./run_make_tests.pl -srcdir .. -make ../make
}

results() {
	sed -nE -e 's/^([a-z]+\/[^ ]+) \.+ .*ok +\(([0-9]+) passed\)$/pass \1 \2/p' \
		-e 's/^([a-z]+\/[^ ]+) \.+ .*N\/A$/skip \1/p' \
		-e 's/^([a-z]+\/[^ ]+) \.+ .*FAILED \((.*)\)$/fail \1 \2/p' \
		-e 's/^([a-z]+\/[^ ]+) \.+ Error running.*$/fail \1/p'
}

load() {
	rm -f lib/*.o lib/*.a
	$RECORD "$PWD/make" -j2 -C lib && [ -e lib/libgnu.a ]
}
