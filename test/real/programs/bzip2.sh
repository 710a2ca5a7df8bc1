# shellcheck shell=bash
package=bzip2
version=1.0.8
# Debian's patches link bzip2 with a shared libbz2; the upstream Makefile links
# the archive, so that all of it is in the executable.
patched=no
system=make
exes="bzip2 bzip2recover"
note="\`make check\`, its six comparisons one by one, and round trips."

build() {
	make -j"$JOBS" CC="$CC" libbz2.a bzip2 bzip2recover
	make CC="$CC" unzcrash 2>/dev/null || $CC -O2 -o unzcrash unzcrash.c libbz2.a
}

suite() {
	local n file level
	check make-check make check CC="$CC"
	for n in 1 2 3; do
		check "compress sample$n" cmp "sample$n.bz2" "sample$n.rb2"
		check "decompress sample$n" cmp "sample$n.ref" "sample$n.tst"
	done
	cat ./*.c manual.ps >"$TMPDIR/text"
	head -c 300000 bzip2 >"$TMPDIR/binary"
	head -c 2000000 /dev/zero >"$TMPDIR/zeros"
	: >"$TMPDIR/empty"
	for file in text zeros empty; do
		for level in 1 5 9; do
			output "$file -$level" sh -c "./bzip2 -$level <$TMPDIR/$file"
			shell "$file -$level round trip" \
				"./bzip2 -$level <$TMPDIR/$file | ./bzip2 -d | cmp - $TMPDIR/$file"
		done
	done
	shell "binary round trip" "./bzip2 <$TMPDIR/binary | ./bzip2 -ds | cmp - $TMPDIR/binary"
	shell "test flag" './bzip2 -tvv sample1.bz2 sample2.bz2'
	shell "damage is noticed" 'head -c 5000 sample1.bz2 >$TMPDIR/cut.bz2; ! ./bzip2 -t $TMPDIR/cut.bz2'
	shell "recover" 'cp sample2.bz2 $TMPDIR/r.bz2; ./bzip2recover $TMPDIR/r.bz2;
		cat $TMPDIR/rec*r.bz2 | ./bzip2 -d | cmp - sample2.ref'
	# Flips bits of a compressed buffer in memory: decompression must survive.
	shell "unzcrash" 'head -c 3000 sample1.ref >$TMPDIR/small; timeout 100 ./unzcrash $TMPDIR/small >/dev/null 2>&1'
}

results() { results_automake; }
