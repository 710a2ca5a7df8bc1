#!/bin/bash
# Random programs: a program of csmith's prints a checksum over all it computed;
# it is the same with recut-cc as with clang, at -O0 and -O2.
#
#   csmith.t            30 seeds, RECUT_LONG=1: 300 seeds
#   csmith.t SEED…      these
. "$(dirname "$0")/../lib/tap.sh"
command -v csmith >/dev/null || skip_all 'csmith is not installed'
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
export include

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1 300; else seq 10 10 300; fi)
fi

# Structs, unions, bit-fields and volatile are on by default; a third of the
# programs has floating point, a third inline functions and deep blocks.
generate() {
	local options=()
	case $(($1 % 3)) in
	1) options=(--float --max-funcs 8) ;;
	2) options=(--inline-function --max-block-depth 6) ;;
	esac
	timeout 120 csmith --seed "$1" "${options[@]}" -o "$1.c" >/dev/null
}

# Prints what is wrong; nothing if all is well, "slow" if clang's is too slow.
check_seed() {
	local seed=$1 level
	# The first of all writes platform.info for the others, which may find half of it.
	generate "$seed" 2>/dev/null || generate "$seed" || { echo "csmith: exit $?"; return; }
	for level in -O0 -O2; do
		"$CLANG" -w $level -I"$include" "$seed.c" -o "$seed$level.plain" -lm
		timeout 5 "./$seed$level.plain" >"$seed$level.plain.out" 2>&1
		case $? in 124) echo slow; return ;; esac
		"$RECUT_CC" -w $level -I"$include" "$seed.c" -o "$seed$level.recut" -lm 2>&1
		timeout 60 "./$seed$level.recut" >"$seed$level.recut.out" 2>&1 || echo "$level: exit $?"
		diff "$seed$level.plain.out" "$seed$level.recut.out" | sed "s/^/$level: /"
	done
}
job() {
	check_seed "$1" >"$1.log" 2>&1
	[ -s "$1.log" ] || rm -f "$1"-* "$1.c"
}
export -f generate check_seed job
printf '%s\n' "${seeds[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {}

slow=0
for seed in "${seeds[@]}"; do
	if [ "$(cat "$seed.log")" = slow ]; then
		slow=$((slow + 1))
		skip "seed $seed" 'takes more than 5 s with clang'
	elif [ -s "$seed.log" ]; then
		fail "seed $seed" "$self $seed" <"$seed.log"
	else
		pass "seed $seed"
	fi
done
# The comparison itself must be able to fail.
cat >wrong_cc <<'C'
#!/bin/bash
echo '#include <stdio.h>
int main(void) { puts("checksum = 0"); return 0; }' | "$CLANG" -x c - "${@: -3:2}"
C
chmod +x wrong_cc
ok 'a wrong checksum is seen' bash -c 'for seed in 10 20 30; do RECUT_CC=./wrong_cc check_seed $seed; done | grep -q "> checksum = 0"'
echo "# $slow of ${#seeds[@]} seeds left out: too slow with clang"
finish
