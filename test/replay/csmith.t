#!/bin/bash
# Random programs that depend on their environment: what csmith generates, with
# its variables set from, and its checksum mixed with, time, random bytes, files,
# process ids and streams.  Recorded and replayed, output and memory are the same.
#
#   csmith.t            50 seeds, RECUT_LONG=1: 580, of which more than 500 are quick enough
#   csmith.t SEED…      these
. "$(dirname "$0")/../lib/tap.sh"
command -v csmith >/dev/null || skip_all 'csmith is not installed'
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
noise=$root/test/replay/programs/noise.h
export include noise

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1001 1580; else seq 1010 10 1500; fi)
fi

# Every function begins with a question to the environment, and every plain number
# among the global variables is set from one when main begins.
generate() {
	local options=()
	case $(($1 % 3)) in
	1) options=(--float --max-funcs 8) ;;
	2) options=(--inline-function --max-block-depth 6) ;;
	esac
	timeout 120 csmith --seed "$1" "${options[@]}" -o "$1.raw.c" >/dev/null || return
	awk '
		/^static (volatile )?u?int(8|16|32|64)_t g_[0-9]+ = / {
			name = $0; sub(/ =.*/, "", name); sub(/.* /, "", name); set = set name " ^= noise(); "
		}
		/^int main/ { in_main = 1 }
		{ print }
		/^{/ { print in_main ? "    " set : "    noise_mix();" }
	' "$1.raw.c" >"$1.c"
}

# Prints what is wrong; nothing if all is well, "slow" if it is too slow by itself.
check_seed() {
	local seed=$1 level recorded replayed
	generate "$seed" || { echo "csmith: exit $?"; return; }
	for level in -O0 -O2; do
		"$RECUT_CC" -w $level -I"$include" -include "$noise" "$seed.c" -o "$seed$level" -lm 2>&1
		{ timeout 5 "./$seed$level" >/dev/null 2>&1; } 2>/dev/null # the shell tells of crashes
		case $? in 124) echo slow; return ;; esac
		# What the environment says may keep it busy for ever, or lead to a crash.
		{ timeout 300 "$RECUT" record -q --hash 200 -o "$seed$level.trace" "./$seed$level" \
			>"$seed$level.out" 2>&1; } 2>/dev/null
		recorded=$?
		[ $recorded != 124 ] || { echo slow; return; }
		{ (cd / && timeout 300 "$RECUT" replay --verify "$work/$seed$level.trace") \
			>"$seed$level.again" 2>&1 </dev/null; } 2>/dev/null
		replayed=$?
		[ $recorded = $replayed ] || echo "$level: exit $recorded, replayed $replayed"
		diff "$seed$level.out" "$seed$level.again" | sed "s/^/$level: /"
	done
}
job() {
	check_seed "$1" >"$1.log" 2>&1
	[ -s "$1.log" ] || rm -rf "$1"-* "$1.c" "$1.raw.c"
}
export work
export -f generate check_seed job
printf '%s\n' "${seeds[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {}

slow=0 bad=0
for seed in "${seeds[@]}"; do
	if [ "$(cat "$seed.log")" = slow ]; then
		slow=$((slow + 1))
	elif [ -s "$seed.log" ]; then
		bad=$((bad + 1))
		fail "seed $seed" "$self $seed" <"$seed.log"
	fi
done
[ $bad != 0 ] || pass "$((${#seeds[@]} - slow)) programs at two levels"
[ $slow = 0 ] || echo "# $slow of ${#seeds[@]} seeds left out: they take more than 5 s by themselves"

# The comparison itself must be able to fail: two runs are different.
generate 1 && "$RECUT_CC" -w -O2 -I"$include" -include "$noise" 1.c -o one -lm
exits "two runs of one program differ" 1 diff <(timeout 20 ./one) <(timeout 20 ./one)
finish
