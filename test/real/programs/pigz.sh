# shellcheck shell=bash
package=pigz
system=make
needs="zlib1g-dev"
exes="pigz"
note="\`make test\`, and round trips by level, number of threads and format,
read back by gzip."

build() { make -j"$JOBS" CC="$CC" pigz; }

suite() {
	local level threads
	check make-test make test CC="$CC"
	cat ./*.c ./*.c ./*.c ./*.c ./*.c >"$TMPDIR/text"
	for level in 0 1 6 9; do
		for threads in 1 2 4; do
			# With several threads too the output is a function of the input.
			output "-$level -p $threads" ./pigz -nT -"$level" -p $threads -c "$TMPDIR/text"
			shell "-$level -p $threads round trip" \
				"./pigz -$level -p $threads -c $TMPDIR/text | gzip -dc | cmp - $TMPDIR/text"
		done
	done
	shell "zopfli" "head -c 20000 $TMPDIR/text >$TMPDIR/small; ./pigz -11 -c $TMPDIR/small | gzip -dc | cmp - $TMPDIR/small"
	shell "independent blocks" "./pigz -i -b 128 -c $TMPDIR/text | ./pigz -dc | cmp - $TMPDIR/text"
	shell "zlib format" "./pigz -z -c $TMPDIR/text >$TMPDIR/t.zz; ./pigz -dc $TMPDIR/t.zz | cmp - $TMPDIR/text"
	shell "zip format" "./pigz -K -c $TMPDIR/text >$TMPDIR/t.zip; ./pigz -dc $TMPDIR/t.zip | cmp - $TMPDIR/text"
	shell "listing" "./pigz -kf $TMPDIR/text; ./pigz -lv $TMPDIR/text.gz"
	shell "damage is noticed" "head -c 5000 $TMPDIR/text.gz >$TMPDIR/cut.gz; ! ./pigz -t $TMPDIR/cut.gz"
}

results() { results_automake; }
