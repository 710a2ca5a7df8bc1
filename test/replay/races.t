#!/bin/bash
# recut races: programs with a planted race, whose two places it names, and programs
# without one, of which it says nothing; ThreadSanitizer is of the same opinion.
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs/races
export RECUT_CACHE_DIR=$work/cache

# The planted race of a program, as "FILE:LINE FILE:LINE": lines with /* race */, or one
# with /* race race */.
planted() {
	awk -v file="$(basename "$1")" '
		/\/\* race \*\// { found[count++] = file ":" FNR }
		/\/\* race race \*\// { found[count++] = file ":" FNR; found[count++] = file ":" FNR }
		END { print found[0], found[1] }' "$1"
}

# All that were found, in that form, a line each.
found() {
	python3 -c '
import json, os, sys
for race in json.load(sys.stdin)["races"]:
    tops = [access["stack"][0] for access in race["accesses"]]
    print(" ".join("%s:%d" % (os.path.basename(top["file"]), top["line"]) for top in tops))'
}

# look NAME LEVEL MODE: builds, records, and looks for races, which go to races.json.
look() {
	"$RECUT_CC" -w -g "-O$2" -o "$1" "$programs/$1.c" -lpthread >.out 2>&1 || return 99
	rm -rf trace
	timeout -k 5 60 "$RECUT" record -q "--threads=$3" -o trace "./$1" >recorded 2>>.out || return 98
	timeout -k 5 60 "$RECUT" races --json trace >races.json 2>>.out
}

is_racy() {
	local level=$2 mode=$3 status
	look "$@"
	status=$?
	if [ $status = 1 ] && found <races.json | grep -qxF "$(planted "$programs/$1.c")"; then
		pass "$1 -O$level $mode: found"
	else
		{ echo "exit $status"; cat .out races.json; } | fail "$1 -O$level $mode: found"
	fi
}

is_free() {
	local level=$2 mode=$3 status
	look "$@"
	status=$?
	if [ $status = 0 ]; then pass "$1 -O$level $mode: no race"; else
		{ echo "exit $status"; cat .out; "$RECUT" races trace; } 2>&1 | fail "$1 -O$level $mode: no race"
	fi
}

for source in "$programs"/racy_*.c; do
	name=$(basename "$source" .c)
	is_racy "$name" 0 causal
	is_racy "$name" 0 serial
	is_racy "$name" 1 causal
done
for source in "$programs"/free_*.c; do
	name=$(basename "$source" .c)
	is_free "$name" 0 causal
	is_free "$name" 2 causal
	is_free "$name" 2 serial
done

# ThreadSanitizer: 66 is its exit status if it found something. Where the kernel places
# memory at random, it may not like where.
sanitized() { setarch -R env TSAN_OPTIONS=exitcode=66 "./$1.tsan" >.out 2>&1; }
echo 'int main(void) { return 0; }' >empty.c
"$CLANG" -fsanitize=thread -o empty.tsan empty.c >.out 2>&1
if sanitized empty; then
	for source in "$programs"/*.c; do
		name=$(basename "$source" .c)
		if grep -q '<threads.h>' "$source"; then
			skip "$name: ThreadSanitizer agrees" "it does not know the threads of C11"
			continue
		fi
		"$CLANG" -w -g -O1 -fsanitize=thread -o "$name.tsan" "$source" -lpthread || exit 1
		wanted=0
		[[ $name == racy_* ]] && wanted=66
		for try in 1 2 3; do # it only looks at the last few accesses
			sanitized "$name"
			status=$?
			[ $status = $wanted ] && break
		done
		same "$name: ThreadSanitizer agrees" $status $wanted
	done
else
	skip "ThreadSanitizer agrees" "it does not run here: $(head -n 1 .out)"
fi
finish
