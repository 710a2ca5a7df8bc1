#!/bin/bash
# The program that an executable carries, damaged: the reader of its section
# under a fuzzer and its corpus, and whole executables through `recut info`.
#
#   embedded.t [SEED…]      with seeds: only these damaged executables
. "$(dirname "$0")/../lib/tap.sh"

if [ $# = 0 ]; then
	# The hash is compiled in, so that the sanitizers see what it reads.
	includes=(-I"$root/src" -isystem /usr/lib/llvm-19/include -D_GNU_SOURCE -DXXH_INLINE_ALL -std=gnu17)
	sources=("$root"/src/program/embedded.c "$root"/src/base/error.c "$root"/src/base/mem.c)
	libraries=(-lelf -lzstd -lxxhash)
	mkdir corpus found
	ok 'the seeds build' "$CLANG" "${includes[@]}" "$root/test/fuzz/embedded_seeds.c" "${sources[@]}" \
		-o seeds "${libraries[@]}"
	ok 'the seeds are written' ./seeds corpus
	if "$CLANG" -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "${includes[@]}" \
		"$root/test/fuzz/embedded_fuzz.c" "${sources[@]}" -o fuzz "${libraries[@]}" >build.log 2>&1; then
		ok "the corpus of $(find corpus -type f | wc -l) passes" ./fuzz corpus/*
		seconds=5
		is_long && seconds=60
		ok "$seconds s of fuzzing" ./fuzz -max_total_time=$seconds -malloc_limit_mb=1024 -print_final_stats=1 \
			-artifact_prefix=found/ found corpus
		# The target must be able to find something.
		sed 's/if (header.payload_size > size - header.header_size)/if (0)/' "$root/src/program/embedded.c" >weak.c
		cmp -s weak.c "$root/src/program/embedded.c" && fail 'a check is left out' </dev/null
		"$CLANG" -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "${includes[@]}" \
			"$root/test/fuzz/embedded_fuzz.c" weak.c "${sources[@]:1}" -o weak "${libraries[@]}"
		ok 'a check that is left out is noticed' bash -c '! ./weak corpus/*'
	else
		skip 'the fuzzer' "it does not build: $(head -n 1 build.log)"
	fi
fi

if ! [ -x "$RECUT" ] || ! "$RECUT" info --help >/dev/null 2>&1; then
	skip 'damaged executables' 'recut info is not built'
	finish
	exit
fi
echo 'int main(void) { volatile int a[5] = {1}; return a[4]; }' >program.c
"$RECUT_CC" -g program.c -o program || exit 1
exits 'recut info: a whole executable' 0 "$RECUT" info program
count=100
is_long && count=1000
seeds=("$@")
[ ${#seeds[@]} != 0 ] || mapfile -t seeds < <(seq $count)
job() {
	python3 "$root/test/fuzz/mutate.py" "$1" program "damaged-$1" || echo "seed $1: the mutation failed"
	timeout 300 "$RECUT" info "damaged-$1" >"out-$1" 2>&1
	local status=$?
	case $status in
	0 | 1 | 65) rm -f "damaged-$1" "out-$1" ;;
	*) echo "seed $1: exit $status: $(tail -n 1 "out-$1")" ;;
	esac
}
export -f job
export root
printf '%s\n' "${seeds[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {} >wrong 2>&1
if [ -s wrong ]; then
	again=$(sed -n 's/^seed \([0-9]*\).*/\1/p' wrong | head -5 | xargs)
	fail "${#seeds[@]} damaged executables" "$self $again" <wrong
else
	pass "${#seeds[@]} damaged executables: exit 0, 1 or 65"
fi
finish
