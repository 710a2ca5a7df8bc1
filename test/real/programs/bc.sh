# shellcheck shell=bash
package=bc
version=1.07.1
# Debian's patches touch Makefile.am, which asks for an automake of that time.
patched=no
system=automake
needs="flex bison ed texinfo"
exes="bc/bc dc/dc"
config=config.h
note="The scripts of \`Test/\`, and \`dc\` programs; the package has no reference
output, so output is compared between the columns."

build() {
	./configure
	make -j"$JOBS"
}

# timetest compares with the system's bc and measures: its scripts are run, the
# timing is not.  signum is a mail; what it quotes as input follows the header.
suite() {
	local f
	cd Test || return
	for f in *.b; do
		output "$f" ../bc/bc -l "$f"
	done
	output BUG.bc sh -c 'timeout 20 ../bc/bc -l BUG.bc </dev/null'
	output warnings ../bc/bc -w array.b
	output pi ../bc/bc -l <(echo 'scale=400; 4*a(1); quit')
	output bases ../bc/bc <(echo 'obase=16; 2^200; obase=7; ibase=16; FFFF; quit')
	output syntax-error ../bc/bc <(echo '1 + ) 2'; echo quit)
	output dc-factorial ../dc/dc -e '[la1+dsa*lax]sF 20 [d1-d1<F*]dsFxp'
	output dc-root ../dc/dc -e '50k 2v p 3v p 2 100^p 16o 255p'
	output dc-strings ../dc/dc -e '[hello]p [1 2 3]x f z p'
	output dc-errors ../dc/dc -e 'p + 1 0 / f'
}

results() { results_automake; }
