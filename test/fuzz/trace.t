#!/bin/bash
# Damaged traces: the reader under a fuzzer and its corpus, and under mutations
# in one process.  test/cli/traces.t has damaged directories.
#
#   trace.t [NUMBER…]      with numbers: only these mutations
. "$(dirname "$0")/../lib/tap.sh"

# The hash is compiled in, so that the sanitizers see what it reads.
includes=(-I"$root/src" -isystem /usr/lib/llvm-19/include -D_GNU_SOURCE -DXXH_INLINE_ALL= -std=gnu17)
sources=("$root"/src/trace/*.c "$root"/src/base/*.c "$root"/src/format/model_table.c
	"$root"/src/program/embedded.c "$root"/src/cmd/trace_view.c "$root"/src/cmd/trace_text.c
	"$root"/src/cmd/trace_json.c "$root"/test/lib/trace_writer.c "$root"/test/lib/trace_sample.c)
libraries=(-ldw -lelf -lzstd -lxxhash -lcjson)
# shellcheck disable=SC2054
sanitize=(-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all)
# One allocation that a trace could ask for would be larger than this.
export ASAN_OPTIONS=max_allocation_size_mb=64:detect_leaks=1

# Compiled once, for three programs.
mkdir objects corpus found
build() {
	local file
	for file in "${sources[@]}" "$root/test/fuzz/trace_walk.c"; do
		echo "$file"
	done | xargs -P "${JOBS:-2}" -I{} sh -c '
		exec "$@" -c "$0" -o "objects/$(echo "$0" | tr / _).o"' {} \
		"$CLANG" "${sanitize[@]}" -fsanitize=fuzzer-no-link "${includes[@]}"
}
echo 'int main(void) { return 0; }' >empty.c
"$CLANG" "${sanitize[@]}" empty.c -o empty >build.log 2>&1 ||
	skip_all "the sanitizers do not build: $(head -n 1 build.log)"
ok 'the sources build' build
link() {
	"$CLANG" "${sanitize[@]}" "${includes[@]}" "$@" objects/*.o "${libraries[@]}"
}
ok 'the mutations build' link "$root/test/fuzz/trace_mutate.c" -o mutate

if [ $# != 0 ]; then
	for number; do
		ok "mutation $number" ./mutate 1 "$number"
	done
	finish
	exit
fi

ok 'the seeds build' link "$root/test/fuzz/trace_seeds.c" -o seeds
ok 'the seeds are written' ./seeds corpus
ok 'the fuzzer builds' link -fsanitize=fuzzer "$root/test/fuzz/trace_fuzz.c" -o fuzz
ok "the corpus of $(find corpus -type f | wc -l) passes" ./fuzz corpus/*
seconds=5
is_long && seconds=60
ok "$seconds s of fuzzing" ./fuzz -max_total_time=$seconds -max_len=8192 -malloc_limit_mb=64 -timeout=10 \
	-print_final_stats=1 -artifact_prefix=found/ found corpus

# 100,000 mutations, a tenth of them unless RECUT_LONG=1; in two processes.
half=5000
is_long && half=50000
run() { ./mutate $half "$1" >"mutate-$1" 2>&1 || echo "from $1: exit $?" >>wrong; }
: >wrong
run 0 &
run $half
wait
if [ -s wrong ]; then
	cat wrong mutate-* | fail "$((2 * half)) damaged traces"
else
	pass "$((2 * half)) damaged traces: no crash, no hang"
fi
# Both ends must be reached, or the test tests nothing.
sed 's/^/# /' mutate-0
read -r _ _ whole _ refused _ <mutate-0
ok 'many are refused' test "${refused:-0}" -gt $((half / 4))
ok 'some are still whole' test "${whole:-0}" -gt $((half / 100))

# The target must be able to find something.
weak() {
	local name=$1 file=$2 edit=$3 object
	sed "$edit" "$root/$file" >weak.c
	cmp -s weak.c "$root/$file" && fail "$name: the check is gone from $file" </dev/null
	object="objects/$(echo "$root/$file" | tr / _).o"
	cp "$object" kept.o
	rm -f weak
	"$CLANG" "${sanitize[@]}" -fsanitize=fuzzer-no-link "${includes[@]}" -c weak.c -o "$object" &&
		link "$root/test/fuzz/trace_mutate.c" -o weak
	cp kept.o "$object"
	ok "$name: a check that is left out is noticed" bash -c '[ -x weak ] && ! ./weak 5000'
}
weak 'size of a chunk' src/trace/stream.c 's/if (header.capacity > left)/if (0)/'
weak 'site of a call' src/trace/cursor.c 's/if (id >= cursor->site_count)/if (0)/'
finish
