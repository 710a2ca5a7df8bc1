#!/bin/bash
# Random programs that depend on their environment, as in test/replay/csmith.t, of which random functions
# are the target of a cut: recorded and replayed, every call of what is in replay space has the same
# arguments, the same loaded values and the same results.
#
#   csmith.t            12 seeds, RECUT_LONG=1: 580, of which more than 500 are quick enough
#   csmith.t SEED…      these
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
command -v csmith >/dev/null || skip_all 'csmith is not installed'
include=${CSMITH_INCLUDE:-/usr/include/csmith}
[ -e "$include/csmith.h" ] || skip_all 'csmith.h is missing (Debian: libcsmith-dev)'
noise=$root/test/replay/programs/noise.h
export include noise XDG_CACHE_HOME=$work/cache

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 2001 2580; else seq 2040 40 2500; fi)
fi

# Functions ask the environment, and what is global is set from it when main begins.
generate() {
	timeout 120 csmith --seed "$1" --max-funcs 12 -o "$1.raw.c" >/dev/null || return
	awk '
		/^static (volatile )?u?int(8|16|32|64)_t g_[0-9]+ = / {
			name = $0; sub(/ =.*/, "", name); sub(/.* /, "", name); set = set name " ^= noise(); "
		}
		/^int main/ { in_main = 1 }
		{ print }
		/^{/ && in_main { print "    " set }
		/^{/ && !in_main && ++functions % 2 { print "    noise_mix();" }
	' "$1.raw.c" >"$1.c"
}

# Some of the functions that the program has, by the seed.
choose() {
	RANDOM=$1
	local name
	nm "$2" | awk '$2 ~ /[tT]/ && $3 ~ /^func_|^noise/ { print $3 }' | sort | while read -r name; do
		[ $((RANDOM % 3)) = 0 ] && printf -- '--target %s ' "$name"
	done
}

# Prints what is wrong; nothing if all is well, "slow" or "none" if it is of no use.
check_seed() {
	local seed=$1 level strategy recorded replayed targets
	generate "$seed" || { echo "csmith: exit $?"; return; }
	for level in -O0 -O2; do
		"$RECUT_CC" -w $level -I"$include" -include "$noise" "$seed.c" -o "$seed$level" -lm 2>&1
		{ timeout 5 "./$seed$level" >/dev/null 2>&1; } 2>/dev/null # the shell tells of crashes
		case $? in 124) echo slow; return ;; esac
		targets=$(choose "$seed" "$seed$level")
		[ -n "$targets" ] || continue
		for strategy in tight mincut eager; do
			[ $(((seed + ${#level} + ${#strategy}) % 3)) = 0 ] || [ $strategy = mincut ] || continue
			# shellcheck disable=SC2086
			"$RECUT" cut "./$seed$level" $targets --strategy=$strategy -q -o "$seed.cut" \
				>"$seed.said" 2>&1 || { echo "$level $strategy: cut: $(tail -n 1 "$seed.said")"; continue; }
			rm -rf "$seed.trace"
			{ timeout 60 "$RECUT" record -q --hash 1 --cut "$seed.cut" -o "$seed.trace" "./$seed$level" \
				>"$seed.out" 2>&1; } 2>/dev/null
			recorded=$?
			[ $recorded != 124 ] || { echo slow; return; }
			{ (cd / && timeout 60 "$RECUT" replay --verify "$work/$seed.trace") \
				>"$seed.again" 2>&1 </dev/null; } 2>/dev/null
			replayed=$?
			[ $recorded = $replayed ] ||
				{ echo "$level $strategy: exit $recorded, replayed $replayed"; cat "$seed.again"; }
		done
	done
}
job() {
	check_seed "$1" >"$1.log" 2>&1
	[ -s "$1.log" ] || rm -rf "$1"[-.][!l]*
}
export work
export -f generate check_seed choose job
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
finish
