#!/bin/bash
# Dependences that a run of a random program had are in its static slices (observed.py).
#
#   observed.t            15 seeds, RECUT_LONG=1: 200 seeds
#   observed.t SEED…      these
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
for tool in csmith python3; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
here=$root/test/slice

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1 260; else seq 13 17 260; fi)
fi
"$CLANG" -O2 -c -o observed.o "$here/observed.c" || exit 1

good=0 wanted=$(is_long && echo 200 || echo ${#seeds[@]}) slow=0
for seed in "${seeds[@]}"; do
	[ $good -lt "$wanted" ] || break
	csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --no-packed-struct >p.c 2>/dev/null || continue
	"$CLANG" -w -g -O0 -I "$include" -S -emit-llvm -o p.ll p.c >.out 2>&1 &&
		python3 "$here/observed.py" change p.ll q.ll places >.out 2>&1 &&
		"$CLANG" -w -O0 -o q q.ll observed.o >.out 2>&1 || {
		fail "seed $seed: builds" <.out
		continue
	}
	if ! OBSERVED=pairs timeout -k 1 5 ./q >/dev/null 2>&1; then
		slow=$((slow + 1)) # some never end
		continue
	fi
	if "$CLANG" -w -c -emit-llvm -o p.bc p.ll && python3 "$here/observed.py" check "$RECUT" p.bc places pairs "$seed" >.out 2>&1; then
		pass "seed $seed: $(cat .out)"
		good=$((good + 1))
	else
		fail "seed $seed" <.out
	fi
done
echo "# $good programs; $slow of others take too long by themselves"
finish
