#!/bin/bash
# The graph of a program that was sliced before is used again, with the same slices; and a file
# that is not whole is none.
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache
unset RECUT_CACHE_DIR
programs=$root/test/slice/programs

graphs() { find "$work/cache/recut/graphs" -name '*.graph' 2>/dev/null | wc -l; }
slice() { timeout -k 5 300 "$RECUT" slice "$@" --format lines; }

for name in context_identity context_sum_increment arrays_apart alias_global_pointer; do
	ok "$name: builds" "$RECUT_CC" -w -g -O0 -o prog "$programs/$name.c"
	line=$(grep -n '/\* slice' "$programs/$name.c" | head -n 1 | cut -d: -f1)
	for options in "" "--data" "--no-context" "--termination" "--depth 2"; do
		# shellcheck disable=SC2086
		slice --no-cache prog --at "$name.c:$line" $options >want 2>&1
		for round in first next; do
			# shellcheck disable=SC2086
			slice prog --at "$name.c:$line" $options >got 2>&1
			ok "$name $options: the $round time" diff want got
		done
	done
done

# One with threads is not kept: their order is not in such a file.
"$RECUT_CC" -w -g -O0 -pthread -o threads "$programs/condition_variable.c"
before=$(graphs)
slice threads --at "condition_variable.c:$(grep -n '/\* slice' "$programs/condition_variable.c" | cut -d: -f1)" >/dev/null
same "a program with threads is not kept" "$(graphs)" "$before"

"$RECUT_CC" -w -g -O0 -o prog "$programs/context_identity.c"
source=context_identity.c
line=$(grep -n '/\* slice' "$programs/$source" | head -n 1 | cut -d: -f1)
rm -rf cache
slice --no-cache prog --at "$source:$line" >want
same "--no-cache keeps nothing" "$(graphs)" 0
slice prog --at "$source:$line" >got
same "one graph is kept" "$(graphs)" 1
file=$(find cache -name '*.graph')
cp "$file" whole

# Cut off, changed, of another program, not a file.
size=$(stat -c %s whole)
damaged() {
	slice prog --at "$source:$line" >got 2>err
	same "$1: exit" "$?" 0
	ok "$1: the same slice" diff want got
	same "$1: nothing is said" "$(cat err)" ""
	rm -rf "$file"
}
for part in 0 1 63 200 $((size / 2)) $((size - 1)); do
	head -c "$part" whole >"$file"
	damaged "cut off after $part bytes"
done
for place in 3 9 40 70 100 200 $((size / 3)) $((size / 2)) $((size - 5)); do
	cp whole "$file"
	printf '\377' | dd of="$file" bs=1 seek="$place" conv=notrunc 2>/dev/null
	damaged "changed at $place"
done
mkdir "$file"
damaged "a folder in its place"
mkfifo "$file"
damaged "a FIFO in its place"
cp whole "$file"
echo more >>"$file"
damaged "longer than it should be"

# What is not writable is left alone.
rm -rf cache && mkdir cache && chmod 500 cache
if [ "$(id -u)" != 0 ]; then
	damaged "a cache that cannot be written"
else
	XDG_CACHE_HOME=/proc/nothing slice prog --at "$source:$line" >got
	ok "a cache that cannot be made" diff want got
fi
chmod 700 cache
finish
