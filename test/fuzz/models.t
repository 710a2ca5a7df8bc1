#!/bin/bash
# Model files and compiled models, damaged: the parser and the check of tables
# under a fuzzer and its corpus.
. "$(dirname "$0")/../lib/tap.sh"

includes=(-I"$root/src" -D_GNU_SOURCE= -std=gnu17)
sources=()
for file in "$root"/src/models/*.c "$root"/src/base/*.c; do
	case $file in
	*/generate_main.c | */load.c) ;;
	*) sources+=("$file") ;;
	esac
done
check=$root/src/format/model_table.c
mkdir corpus found
ok 'the seeds build' "$CLANG" "${includes[@]}" "$root/test/fuzz/models_seeds.c" "${sources[@]}" "$check" \
	-o seeds
ok 'the seeds are written' ./seeds corpus "$root"/src/models/*.model
flags=(-g -O1 "-fsanitize=fuzzer,address,undefined" -fno-sanitize-recover=all)
if ! "$CLANG" "${flags[@]}" "${includes[@]}" "$root/test/fuzz/models_fuzz.c" "${sources[@]}" "$check" \
	-o fuzz >build.log 2>&1; then
	skip 'the fuzzer' "it does not build: $(head -n 1 build.log)"
	finish
	exit
fi
ok "the corpus of $(find corpus -type f | wc -l) passes" ./fuzz -runs=0 corpus
seconds=5
is_long && seconds=60
ok "$seconds s of fuzzing" ./fuzz -max_total_time=$seconds -malloc_limit_mb=1024 -max_len=4096 \
	-artifact_prefix=found/ found corpus
# The target must be able to find something.
sed 's/term.value < function->param_count &&/1 \&\&/' "$check" >weak.c
if cmp -s weak.c "$check"; then fail 'a check is left out' </dev/null; fi
"$CLANG" "${flags[@]}" "${includes[@]}" "$root/test/fuzz/models_fuzz.c" weak.c "${sources[@]}" -o weak
ok 'a check that is left out is noticed' eval '! ./weak -runs=0 corpus'
finish
