#!/bin/bash
# Crash files, damaged: their reader under a fuzzer, and whole files through `recut test`.
#
#   capture.t [SEED…]      with seeds: only these damaged files
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache

cat >program.c <<'END'
struct item {
    struct item *next;
    char text[40];
};
static int count;
static int length(struct item *item) {
    for (count = 0; item->text[0]; item = item->next)
        count++;
    return count;
}
int main(void) {
    struct item last = {0, "last"}, first = {&last, "first"};
    return length(&first);
}
END
"$RECUT_CC" -g -O0 program.c -o program || exit 1
(
	"$RECUT" monitor -q ./program
	:
) >/dev/null 2>&1
exits 'recut test: a whole crash file' 0 "$RECUT" test program.crash -o tests

if [ $# = 0 ]; then
	includes=(-I"$root/src" -D_GNU_SOURCE -DXXH_INLINE_ALL -std=gnu17)
	sources=("$root"/src/testgen/{capture,seen,deltas}.c "$root"/src/base/{error,mem,io}.c)
	mkdir corpus found
	cp program.crash corpus/packed
	zstd -qdc program.crash | head -c 200000 >corpus/unpacked
	build() { "$CLANG" -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "${includes[@]}" \
		"$root/test/fuzz/capture_fuzz.c" "${@:2}" -o "$1" -lzstd -lxxhash; }
	if build fuzz "${sources[@]}" >build.log 2>&1; then
		seconds=5
		is_long && seconds=60
		ok 'the corpus passes' ./fuzz corpus/*
		ok "$seconds s of fuzzing" ./fuzz -max_total_time=$seconds -malloc_limit_mb=2048 -max_len=300000 \
			-artifact_prefix=found/ found corpus
		# The target must be able to find something.
		sed 's/if (crash->stack_size > left || crash->mappings_size != left - crash->stack_size)/if (0)/' \
			"${sources[0]}" >weak.c
		cmp -s weak.c "${sources[0]}" && fail 'a check is left out' </dev/null
		build weak weak.c "${sources[@]:1}" >build.log 2>&1
		ok 'a check that is left out is noticed' bash -c '! ./weak -runs=300000 -max_total_time=60 -max_len=300000 found corpus'
	else
		skip 'the fuzzer' "it does not build: $(head -n 1 build.log)"
	fi
fi

count=40
is_long && count=1000
seeds=("$@")
[ ${#seeds[@]} != 0 ] || mapfile -t seeds < <(seq $count)
zstd -qdc program.crash >plain
job() {
	local from=program.crash status
	[ $(($1 % 2)) = 0 ] || from=plain
	python3 - "$1" $from "damaged-$1" <<'END' || echo "seed $1: the mutation failed"
import random, sys
seed, source, target = sys.argv[1:]
pick, data = random.Random(int(seed)), bytearray(open(source, "rb").read())
for _ in range(pick.randint(1, 8)):
    at = pick.randrange(min(len(data), pick.choice((64, 8192, len(data)))))
    data[at:at + pick.choice((0, 1, 8))] = pick.randbytes(pick.choice((0, 1, 8)))
open(target, "wb").write(data[:pick.choice((len(data), pick.randrange(len(data))))])
END
	timeout 60 "$RECUT" test "damaged-$1" -o "tests-$1" >"out-$1" 2>&1
	status=$?
	case $status in
	0 | 1 | 65) rm -rf "damaged-$1" "out-$1" "tests-$1" ;;
	*) echo "seed $1: exit $status: $(tail -n 1 "out-$1")" ;;
	esac
}
export -f job
export root
printf '%s\n' "${seeds[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {} >wrong 2>&1
if [ -s wrong ]; then
	fail "${#seeds[@]} damaged crash files" <wrong
else
	pass "${#seeds[@]} damaged crash files"
fi
head -c 1000 program.crash >cut
exits 'a crash file that was cut' 65 "$RECUT" test cut -o tests
finish
