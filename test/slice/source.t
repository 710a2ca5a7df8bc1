#!/bin/bash
# Slices as sources: they compile, run, and print the same at the criterion, lines that begin
# with "slice: ".
#
#   source.t            a third of the programs of programs.t, ten of csmith's, bzip2
#   RECUT_LONG=1        all of them, a hundred of csmith's
#   source.t NAME…      these: programs, or csmith's seeds
#
# test/slice/sources has what is hard to cut: jumps, macros, directives inside of statements, and
# pragmas, which belong to what follows.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=test/lib/slice.sh
. "$root/test/lib/slice.sh"
include=${CSMITH_INCLUDE:-/usr/include/csmith}
kept=0 total=0
# What a program has not written is not zero by chance.
export MALLOC_PERTURB_=165

# Adds the counts of --statistics in a file.
count() {
	local text
	text=$(grep -oE '[0-9]+ of [0-9]+ lines' "$1")
	kept=$((kept + ${text%% *}))
	text=${text#* of }
	total=$((total + ${text% lines}))
}

say_lines() {
	echo "# $1: $kept of $total lines are left"
	kept=0 total=0
}

# becomes NAME LINE FLAG…: NAME.bc is sliced at that line of NAME.c, and compiled again
becomes() {
	local name=$1 line=$2
	shift 2
	timeout -k 5 120 "$RECUT" slice "$name.bc" --at "$name.c:$line" --source "$name.dir" \
		--statistics --cflags "$*" >"$name.lines" 2>&1 || { cat "$name.lines"; return 1; }
	"$CLANG" -w -pthread "$@" -o "$name.slice" "$name.dir/$name.c" -lm
}

same_program() {
	local source=$1 name=$2 line
	line=$(criterion "$source" slice | cut -d: -f2)
	if "$CLANG" -w -std=gnu17 -g -O0 -c -emit-llvm -o "$name.bc" "$source" >.out 2>&1 &&
		"$CLANG" -w -pthread -o "$name" "$name.bc" >.out 2>&1 &&
		becomes "$name" "$line" -std=gnu17 >.out 2>&1; then
		same "$name prints the same" "$(printed "$name.slice")" "$(printed "$name")"
		count "$name.lines"
	else
		{ cat .out; echo "$self $name"; } | fail "$name becomes a source"
	fi
}

# missing PROGRAM CRITERION DIR: lines of the slice that are blank in its sources
missing() {
	local file line
	timeout -k 5 120 "$RECUT" slice "$1" --at "$2" --format lines | while IFS=: read -r file line; do
		awk -v n="$line" 'FNR == n && /^[ \t]*$/ { print FILENAME ":" n }' "$3/$(basename "$file")"
	done
}

# What stays is on its line.
same_lines() {
	awk 'NR == FNR { line[FNR] = $0; next } FNR > 1 {
		gsub(/[ \t;0]/, ""); old = line[FNR]; gsub(/[ \t;0]/, "", old)
		if ($0 != "" && index(old, substr($0, 1, 3)) == 0) print FNR ": " $0 }' "$1" "$2"
}

# make_random SEED MARK: a program of csmith's that prints something at the line that MARK adds;
# says which line, and fails if there is none.
make_random() {
	local seed=$1 line
	timeout 60 csmith --seed "$seed" -o "$seed.c" >/dev/null 2>&1 && line=$("$2" "$seed") &&
		"$CLANG" -w -I"$include" -g -O0 -c -emit-llvm -o "$seed.bc" "$seed.c" 2>/dev/null &&
		"$CLANG" -w -o "$seed" "$seed.bc" -lm && timeout 5 "./$seed" >/dev/null 2>&1 || return
	printed "$seed" 10 >"$seed.wanted"
	[ -s "$seed.wanted" ] && echo "$line"
}

# Prints what is wrong; a word if the program is of no use.  Even seeds have their criterion in
# the middle, if that is ever reached.
check_seed() {
	local seed=$1 line=
	[ $((seed % 2)) = 1 ] || line=$(make_random "$seed" mark_inside)
	[ -n "$line" ] || line=$(make_random "$seed" mark) || { echo none; return; }
	becomes "$seed" "$line" "-I$include" || return
	printed "$seed.slice" 10 | cmp "$seed.wanted"
}

random_programs() {
	local seed good=0 useless=0
	if ! command -v csmith >/dev/null || [ ! -e "$include/csmith.h" ]; then
		skip 'random programs' 'csmith or csmith.h is missing (Debian: csmith, libcsmith-dev)'
		return
	fi
	for seed; do
		check_seed "$seed" >.out 2>&1
		case $(cat .out) in
		'')
			good=$((good + 1))
			count "$seed.lines"
			;;
		none) useless=$((useless + 1)) ;;
		*)
			{ cat .out; echo "$self $seed"; } | fail "seed $seed"
			continue
			;;
		esac
		rm -rf "$seed" "$seed".*
	done
	ok "$good of csmith's programs print the same; $useless are too slow, or print nothing there" \
		[ $good -gt 0 ]
	say_lines "csmith's programs"
}

# A program of several files, built by recut-cc: what bzip2 -vv says of each block.
real_program() {
	local source line
	source=$("$root/tools/fetch-source" --upstream bzip2 1.0.8 2>&1) ||
		{ skip 'bzip2' "$source"; return; }
	cp -r "$source" bzip2
	if ! make -C bzip2 CC="$RECUT_CC" CFLAGS='-g -O0 -w -D_FILE_OFFSET_BITS=64' bzip2 >.out 2>&1; then
		fail 'bzip2 builds' <.out
		return
	fi
	line=$(grep -n 'VPrintf4( "    block' bzip2/compress.c | cut -d: -f1)
	ok 'bzip2: a slice as sources' "$RECUT" slice bzip2/bzip2 --at "compress.c:$line" \
		--source bzip2.dir --cflags -D_FILE_OFFSET_BITS=64 --statistics
	count .out
	same 'bzip2: all of the slice is there' \
		"$(missing bzip2/bzip2 "compress.c:$line" bzip2.dir)" ''
	ok 'bzip2: its headers are there' [ -e bzip2.dir/bzlib_private.h ]
	ok 'bzip2: the slice compiles' "$CLANG" -w -D_FILE_OFFSET_BITS=64 -o bzip2.slice bzip2.dir/*.c
	cat bzip2/*.c >data
	blocks() { timeout -k 5 300 "$@" -vv -1 -c data 2>&1 >/dev/null | grep -ao 'block .*'; }
	same 'bzip2: the slice says the same of blocks' "$(blocks ./bzip2.slice)" "$(blocks bzip2/bzip2)"
	say_lines bzip2
}

refusals() {
	local out
	printf 'int f(int x) { return x; }\nint main(void) {\n\treturn f(1);\n}\n' >r.c
	"$CLANG" -g -O0 -c -emit-llvm -o r.bc r.c
	"$CLANG" -g -O2 -c -emit-llvm -o r2.bc r.c
	exits 'what is optimised is refused' 1 "$RECUT" slice r2.bc --at r.c:3 --source r.dir
	like 'and it says what to do' "$(cat .out)" '*r.c was optimised*-O0 -g*'
	"$CLANG" -O0 -c -emit-llvm -o r0.bc r.c
	exits 'without debug information' 1 "$RECUT" slice r0.bc --at main:return --source r.dir
	like 'and it says what to do' "$(cat .out)" '*debug information*-g*'
	for option in --forward --data '--depth 1' '--within main' '--chop f:return' '--bitcode x'; do
		# shellcheck disable=SC2086
		exits "--source with $option" 2 "$RECUT" slice r.bc --at r.c:3 --source r.dir $option
	done
	exits '--cflags alone' 2 "$RECUT" slice r.bc --at r.c:3 --cflags -DX
	"$CLANG" -g -O0 -gno-column-info -c -emit-llvm -o r3.bc r.c
	exits 'debug information without columns' 1 "$RECUT" slice r3.bc --at r.c:3 --source r.dir
	exits 'sources are not overwritten' 2 "$RECUT" slice r.bc --at r.c:3 --source .
	sed -i 's/f(1)/f(2)/' r.c
	exits 'a source that has changed' 1 "$RECUT" slice r.bc --at r.c:3 --source r.dir
	like 'and it says which' "$(cat .out)" '*r.c has changed*'
	"$CLANG" -g -gdwarf-4 -O0 -c -emit-llvm -o r4.bc r.c
	sed -i '1i int g;' r.c
	exits 'a source that has changed, without checksums' 1 \
		"$RECUT" slice r4.bc --at r.c:3 --source r.dir
	like 'and it says which' "$(cat .out)" '*r.c has changed*'
	rm r.c
	exits 'a source that is gone' 1 "$RECUT" slice r.bc --at r.c:3 --source r.dir
	like 'and it says which' "$(cat .out)" '*r.c: the source is not there*'
	ok 'nothing is written' [ ! -e r.dir ]
	printf '#if N\nint main(void) {\n\treturn N;\n}\n#endif\n' >n.c
	"$CLANG" -DN=3 -g -O0 -c -emit-llvm -o n.bc n.c
	exits 'flags that are not known' 1 "$RECUT" slice n.bc --at n.c:3 --source n.dir
	like 'and it asks for them' "$(cat .out)" '*--cflags*'
	ok 'flags from the user' "$RECUT" slice n.bc --at n.c:3 --source n.dir --cflags '-DN=3'
	"$CLANG" -DN=3 -grecord-command-line -g -O0 -c -emit-llvm -o n.bc n.c
	ok 'flags from the program' "$RECUT" slice n.bc --at n.c:3 --source n.dir
	cp n.c p.cc && "$CLANG" -DN=3 -g -O0 -c -emit-llvm -o p.bc p.cc
	exits 'C++' 1 "$RECUT" slice p.bc --at p.cc:3 --source p.dir
	like 'and it says so' "$(cat .out)" '*p.cc is not C*'
	printf '#include "sub/i.h"\nint main(void) {\n\treturn\n\t    one();\n}\n' >h.c
	mkdir sub && printf 'static inline int one(void) { return 1; }\n' >sub/i.h
	"$CLANG" -g -O0 -c -emit-llvm -o h.bc h.c
	ok 'headers in folders' "$RECUT" slice h.bc --at h.c:4 --source h.dir
	ok 'are copied' cmp sub/i.h h.dir/sub/i.h
	out=$("$CLANG" -w -o h h.dir/h.c 2>&1 && ./h || echo $?)
	same 'and used' "$out" 1
}

# Of the programs in test/slice/sources: all that is left is where it was, and all of the slice
# is left.
lines_stay() {
	local source name
	for source in "$root"/test/slice/sources/*.c; do
		name=$(basename "$source" .c)
		same_lines "$source" "$name.dir/$name.c"
		missing "$name.bc" "$(criterion "$source" slice)" "$name.dir"
	done
}

if [ $# -gt 0 ]; then
	for name; do
		case $name in
		*[!0-9]*) same_program "$(ls "$root"/test/slice/{programs,sources}/"$name.c" 2>/dev/null)" "$name" ;;
		*) random_programs "$name" ;;
		esac
	done
	finish
	exit
fi

refusals
for source in "$root"/test/slice/sources/*.c; do
	same_program "$source" "$(basename "$source" .c)"
done
same 'lines keep their numbers' "$(lines_stay)" ''
say_lines 'what is hard to cut'
number=0
for source in "$root"/test/slice/programs/*.c; do
	name=$(basename "$source" .c)
	number=$((number + 1))
	sed -n 2p "$source" | grep -q '^/\* options' && continue
	is_long || [ $((number % 3)) = 1 ] || continue
	same_program "$source" "$name"
	rm -rf "$name" "$name".*
done
say_lines 'programs of programs.t'
# shellcheck disable=SC2046
random_programs $(if is_long; then seq 1 100; else seq 1 10; fi)
real_program
finish
