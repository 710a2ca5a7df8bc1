#!/bin/bash
# Tests from crashes: of each program, recorded and monitored, the tests that are made of its crash fail
# in the same way, and pass when it has been built anew without the bug (-DFIXED).
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache
programs=$root/test/testgen/programs

# make_tests NAME HOW: tests of a crash, by a recording or by a monitored run.
make_tests() {
	local input=/dev/null
	[ ! -e "$programs/$1.input" ] || input=$programs/$1.input
	rm -rf "$1.$2" "$1.trace" "$1.crash"
	if [ "$2" = recorded ]; then
		"$RECUT" record -q -o "$1.trace" "./$1" <"$input" >/dev/null 2>&1
		"$RECUT" test "$1.trace" -o "$1.$2" >"$1.$2.out" 2>&1
	else
		"$RECUT" monitor -q "./$1" <"$input" >/dev/null 2>&1
		"$RECUT" test "$1.crash" -o "$1.$2" >"$1.$2.out" 2>&1
	fi
}

# The call that each test makes that two folders have.
calls() {
	local file
	for file in "$1"/[0-9]*.c; do
		[ ! -e "$2/${file##*/}" ] || echo "${file##*/} $(grep '^    .*(.*);$' "$file" | tail -n 1)"
	done
}

for source in "$programs"/*.c "$programs"/*/; do
	name=$(basename "$source" .c)
	sources=("$source")
	[ ! -d "$source" ] || sources=("$source"*.c)
	for level in -O0 -O2; do
		"$RECUT_CC" -g $level -Wno-deprecated-non-prototype -o "$name" "${sources[@]}" || continue
		make_tests "$name" recorded
		ok "$name $level: recorded: some functions are there" grep -q "^01_" "$name.recorded.out"
		same "$name $level: recorded: every function reproduces" \
			"$(grep -c '^[0-9].*reproduces$' "$name.recorded.out")" "$(grep -c '^[0-9][0-9]_' "$name.recorded.out")"
		make_tests "$name" monitored
		ok "$name $level: monitored: the innermost reproduces" grep -q '^01_.* reproduces$' "$name.monitored.out"
		# Records and replays are two ways to one and the same.  Not where a stack ran over, which is
		# not as deep when records are on it, and where registers are passed that nobody filled.
		case $name in
		deep | va_list) ;;
		*) same "$name $level: functions are called with the same" "$(calls "$name.monitored" "$name.recorded")" \
			"$(calls "$name.recorded" "$name.monitored")" ;;
		esac
		ok "$name $level: they fail" bash -c "! make -s -C $name.recorded RECUT=$RECUT check >/dev/null 2>&1"
		"$RECUT_CC" -g $level -Wno-deprecated-non-prototype -DFIXED -o "$name" "${sources[@]}"
		for how in recorded monitored; do
			ok "$name $level: $how: they pass when it is mended" \
				make -s -C "$name.$how" RECUT="$RECUT" check
		done
	done
done
# As somebody would write them.
says() { ok "$1: $3" grep -qF -- "$3" "$1.recorded/$2"; }
says parameters 01_inner.c 'large.bits.color = BLUE;'
says parameters 01_inner.c 'large.in[1].flags = FLAG_B;'
says parameters 01_inner.c 'recut_set(large.raw, '
says parameters 01_inner.c '/* wide */ 3.25L, /* z */ __builtin_complex(1.5, 0.0), /* f */ 0.1, '
says parameters 01_inner.c 'grid, lines, '
says narrow 01_inner.c '/* a */ -1, /* b */ -564, /* c */ 200, /* d */ 1, /* e */ -70000, /* f */ 0x11170'
says called_back 01_sort.c '/* count */ 6)'
finish
