#!/bin/bash
# Files of cuts, damaged: their reader under a fuzzer and its corpus.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

includes=(-I"$root/src" -D_GNU_SOURCE= -DXXH_INLINE_ALL -std=gnu17)
sources=("$root"/src/cut/cut_file.c "$root"/src/base/{bitset,error,io,mem}.c)
build() { # TARGET READER
	"$CLANG" -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "${includes[@]}" \
		"$root/test/fuzz/cut_fuzz.c" "$2" "${sources[@]:1}" -o "$1" -lxxhash
}

mkdir corpus found
head='recut cut 1
build abcd0000000000000000000000000000
strategy mincut
target one.c, two.c
'
end='end 0000000000000000
'
printf '%s%s' "$head" "$end" >corpus/nothing
printf '%sreplay 0 a?name\nlogged 0 2 4\nunread 2 6\nblind 6\nenvironment 1 next\nlogged 1 5\nreplay 2 next\n%s' \
	"$head" "$end" >corpus/all
printf '%sreplay 4 next\nlogged 10\nenvironment 5 next\nlogged 1\n%s' "${head/mincut/tight}" "$end" >corpus/external
printf '%sreplay 1 next\nreplay 0 x\nlogged 99\n%s' "${head/mincut/eager}" "$end" >corpus/order
printf '%s%s' "${head/abcd/abce}" "$end" >corpus/build
if ! build fuzz "${sources[0]}" >build.log 2>&1; then
	skip 'the fuzzer' "it does not build: $(head -n 1 build.log)"
	finish
	exit
fi
ok "the corpus of $(find corpus -type f | wc -l) passes" ./fuzz corpus/*
seconds=4
is_long && seconds=60
ok "$seconds s of fuzzing" ./fuzz -max_total_time=$seconds -malloc_limit_mb=512 -max_len=2000 -artifact_prefix=found/ \
	found corpus
# The target must be able to find something.
sed 's/ || number < least)/)/; s/ || !bitset_add(set, id))/ || (bitset_add(set, id), 0))/; s/return is_call \&\& reader->is_replay;/return true;/' \
	"${sources[0]}" >weak.c
cmp -s weak.c "${sources[0]}" && fail 'a check is left out' </dev/null
ok 'the weak reader builds' build weak weak.c
ok 'a check that is left out is noticed' bash -c '! ./weak -max_total_time=60 -max_len=2000 found corpus'
finish
