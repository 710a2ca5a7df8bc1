# shellcheck shell=bash
package=zlib
version=1.2.13
system="own configure"
exes="minigzip example infcover minigzipsh examplesh"
# minigzipsh writes to standard output by way of libz.so: what a library without a
# model writes by itself, a replay does not show.
replays="minigzip example infcover examplesh"
config=zconf.h
note="\`make check\` (static, shared and 64-bit), \`infcover\`, and round trips
with \`minigzip\`."

build() {
	./configure
	make -j"$JOBS"
	make infcover
}

suite() {
	local level how
	for how in teststatic testshared test64; do
		check "$how" make "$how"
	done
	check infcover ./infcover
	export LD_LIBRARY_PATH=$PWD
	cat ./*.c >"$TMPDIR/text"
	for level in 1 2 3 4 5 6 7 8 9 f h r; do
		output "minigzip -$level" sh -c "./minigzip -$level <$TMPDIR/text"
		shell "minigzip -$level round trip" \
			"./minigzip -$level <$TMPDIR/text | ./minigzipsh -d | cmp - $TMPDIR/text"
		shell "gzip -d reads minigzip -$level" \
			"./minigzip -$level <$TMPDIR/text | gzip -d | cmp - $TMPDIR/text"
	done
	shell "damage is noticed" "./minigzip <$TMPDIR/text >$TMPDIR/whole.gz; head -c 5000 $TMPDIR/whole.gz >$TMPDIR/cut.gz;
		! ./minigzip -d <$TMPDIR/cut.gz >/dev/null"
}

results() { results_automake; }
