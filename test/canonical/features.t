#!/bin/bash
# Every feature of C and libc that a canonical program must keep: the programs
# in programs/ do the same as with clang, at several levels of optimisation,
# with and without debug information, dynamic and static.
. "$(dirname "$0")/../lib/tap.sh"

configurations=('-O0 -g' '-O2' '-O3 -static')
is_long && {
	configurations=()
	for level in -O0 -O1 -O2 -O3 -Os; do
		for debug in '' ' -g'; do
			for link in '' ' -static'; do configurations+=("$level$debug$link"); done
		done
	done
}

jobs=()
for program in "$root"/test/canonical/programs/*.c; do
	for configuration in "${configurations[@]}"; do
		jobs+=("$(basename "$program" .c) $configuration")
	done
done

# Results go to numbered files, so that the report comes in order.
job() {
	read -r number name flags <<<"$1"
	mkdir "$number"
	# shellcheck disable=SC2086
	DIR=$PWD/$number "$root/test/canonical/one" "$name" $flags >"$number.log" 2>&1
	echo $? >"$number.status"
	[ "$(cat "$number.status")" != 0 ] || rm -rf "$number"
}
export -f job
export root
for i in "${!jobs[@]}"; do printf '%s %s\0' "$i" "${jobs[$i]}"; done |
	xargs -0 -P "${JOBS:-2}" -I{} bash -c 'job "$1"' job {}

for i in "${!jobs[@]}"; do
	if [ "$(cat "$i.status")" = 0 ]; then pass "${jobs[$i]}"; else
		fail "${jobs[$i]}" "test/canonical/one ${jobs[$i]}" <"$i.log"
	fi
done

# The comparison itself must be able to fail.
mkdir -p can_fail/programs can_fail/cc
cp "$root/test/canonical/one" can_fail
echo 'int main(void) { return WHICH; }' >can_fail/programs/differs.c
printf '#!/bin/bash\nexec %q -DWHICH=1 "$@"\n' "$CLANG" >can_fail/cc/plain
printf '#!/bin/bash\nexec %q -DWHICH=2 "$@"\n' "$CLANG" >can_fail/cc/recut
printf '#!/bin/bash\n%q -DWHICH=1 "$@"; echo "recut-cc: warning: no" >&2\n' "$CLANG" >can_fail/cc/warns
chmod +x can_fail/cc/*
CLANG=$work/can_fail/cc/plain
export DIR=$work/can_fail/built
exits 'a difference is seen' 1 env RECUT_CC="$work/can_fail/cc/recut" CLANG="$CLANG" can_fail/one differs
exits 'a warning is seen' 1 env RECUT_CC="$work/can_fail/cc/warns" CLANG="$CLANG" can_fail/one differs
exits 'no difference is no failure' 0 env RECUT_CC="$CLANG" CLANG="$CLANG" can_fail/one differs
finish
