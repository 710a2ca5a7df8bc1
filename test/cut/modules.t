#!/bin/bash
# Random programs of several files that work on each other's memory (modules.py), of which one file, or
# some functions, are the target of a cut: recorded and replayed, every call of what is in replay space has
# the same arguments, the same loaded values and the same results, and the log is used up.
#
#   modules.t            6 seeds; RECUT_LONG=1: 500, of which 100 have threads
#   modules.t SEED…      these; SEEDt: with threads
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache generator=$root/test/cut/modules.py

seeds=("$@")
if [ ${#seeds[@]} = 0 ]; then
	mapfile -t seeds < <(if is_long; then seq 1 400; seq -f '%gt' 1 100; else
		printf '%s\n' 2 7 11 17 3t 4t
	fi)
fi

# One target and one strategy for each level; with all seeds, all are met.
check_seed() {
	local seed=$1 number=${1%t} threads='' level target strategy recorded replayed
	local targets=(left.c right.c main.c 'f_*' 'm_*' 'p_*') strategies=(mincut tight eager)
	[ "$seed" = "$number" ] || threads=threads
	# shellcheck disable=SC2086
	python3 "$generator" "$number" "$seed" $threads || return
	cd "$seed" || return
	for level in -O0 -O2; do
		"$RECUT_CC" -w -g $level -pthread -o "prog$level" main.c left.c right.c 2>&1 || return
		for strategy in "${strategies[@]}"; do
			target=${targets[$(((number / 3 + ${#strategy} + ${#level}) % 6))]}
			"$RECUT" cut -q -t "$target" --strategy=$strategy -o c.cut "./prog$level" >said 2>&1 ||
				{ grep -q 'no function or source file' said || # all of them are inlined, or not used
					echo "$level $target $strategy: cut: $(tail -n 1 said)"; continue; }
			rm -rf trace
			timeout 60 "$RECUT" record -q --hash 1 --cut c.cut -o trace "./prog$level" >out 2>&1
			recorded=$?
			timeout 60 "$RECUT" replay --verify trace >again 2>&1 </dev/null
			replayed=$?
			[ $recorded -lt 64 ] && [ $recorded = $replayed ] ||
				{ echo "$level $target $strategy: exit $recorded, replayed $replayed"; cat out again; }
		done
	done
}
job() {
	(check_seed "$1") >"$1.log" 2>&1
	[ -s "$1.log" ] || rm -rf "$1"
}
export work
export -f check_seed job
printf '%s\n' "${seeds[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {}

bad=0
for seed in "${seeds[@]}"; do
	[ -s "$seed.log" ] || continue
	bad=$((bad + 1))
	fail "seed $seed" "$self $seed" <"$seed.log"
done
[ $bad != 0 ] || pass "${#seeds[@]} programs at two levels, three cuts of each"
finish
