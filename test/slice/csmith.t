#!/bin/bash
# Random programs: the slice on one of the variables that a program of csmith's prints, as a
# program of its own, prints the same for it.
#
#   csmith.t            20 seeds, RECUT_LONG=1: as many as it takes for 500 slices
#   csmith.t SEED…      these
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=test/lib/slice.sh
. "$root/test/lib/slice.sh"
command -v csmith >/dev/null || skip_all 'csmith is not installed'
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
export include

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1 700; else seq 30 30 600; fi)
fi

# Prints what is wrong; nothing if all is well, a word if the program is of no use.
check_seed() {
	local seed=$1 line
	timeout 60 csmith --seed "$seed" -o "$seed.c" >/dev/null 2>&1 || { echo none; return; }
	line=$(mark "$seed") || { echo none; return; }
	"$CLANG" -w -I"$include" -g -O0 -c -emit-llvm -o "$seed.bc" "$seed.c" &&
		"$CLANG" -w -o "$seed" "$seed.bc" -lm || return
	timeout 5 "./$seed" >/dev/null 2>&1 || { echo slow; return; }
	timeout 120 "$RECUT" slice "$seed.bc" --at "$seed.c:$line" --bitcode "$seed.slice.bc" 2>&1 ||
		{ echo "recut slice: exit $?"; return; }
	"$CLANG" -w -o "$seed.slice" "$seed.slice.bc" -lm 2>&1 || return
	diff <(printed "$seed" 10) <(printed "$seed.slice" 10)
}

good=0 useless=0 wanted=$(is_long && echo 500 || echo ${#seeds[@]})
for seed in "${seeds[@]}"; do
	[ $good -lt "$wanted" ] || break
	check_seed "$seed" >.out 2>&1
	case $(cat .out) in
	'') good=$((good + 1)) ;;
	slow | none) useless=$((useless + 1)) ;;
	*)
		{ cat .out; echo "$self $seed"; } | fail "seed $seed"
		continue
		;;
	esac
	rm -f "$seed" "$seed".*
done
ok "$good slices print the same; $useless programs are too slow, or print no global" [ $good -gt 0 ]
finish
