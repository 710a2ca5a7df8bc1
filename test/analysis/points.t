#!/bin/bash
# Points-to analysis on small programs: what their comments expect, without and
# with optimisation.
#
#   expect NAME: OBJECT...           the global NAME holds pointers to these, no others
#   expect-at-least NAME: OBJECT...  to these, maybe others
#   bits: BIT...                     loads and stores of the line, together; or none
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
here=$root/test/analysis

# held NAME: the objects that the dump shows for a global, one a line.
held() {
	sed -n "s/^$1 +0  ->  //p" points | tr ',' '\n' | sed 's/^ //; s/ +.*//; s/ anywhere$//' | sort -u
}

check_program() {
	local source=$1 level=$2 name=$3 wanted line
	"$RECUT" dump --points-to "$name" >points
	"$RECUT" dump --points-to "$name" >points-again
	ok "$name: twice the same" cmp points points-again
	while read -r line; do
		name=${line%%:*} wanted=$(tr ' ' '\n' <<<"${line#*: }" | sort -u)
		same "$level: $name" "$(held "$name")" "$wanted"
	done < <(sed -n 's/.*expect \([^*]*[^* ]\) *\*\/$/\1/p' "$source")
	while read -r line; do
		name=${line%%:*} wanted=$(tr ' ' '\n' <<<"${line#*: }" | sort -u)
		same "$level: $name, at least" "$(comm -12 <(held "$name") <(echo "$wanted"))" "$wanted"
	done < <(sed -n 's/.*expect-at-least \([^*]*[^* ]\) *\*\/$/\1/p' "$source")
}

check_bits() {
	local source=$1 name=$2 number wanted got
	"$RECUT" dump --environment "$name" >environment
	while IFS=: read -r number wanted; do
		wanted=$(tr ' ' '\n' <<<"$wanted" | grep -v '^none$' | grep . | sort -u)
		got=$(grep "$(basename "$source"):$number:" environment | grep -v ' argument ' |
			grep -oE ' (owned|written|handle|described|unknown)\b' | tr -d ' ' | sort -u)
		same "$name: line $number" "$got" "$wanted"
	done < <(sed -n '/bits:.*\*\//{=;s/.*bits: *\(.*[^ ]\) *\*\/.*/\1/p}' "$source" | paste -d: - -)
}

printf 'void *mystery(void *p) { return *(void **)p; }\n' >mystery.c
gcc -shared -fPIC -o libmystery.so mystery.c
for level in O0 O1 O2; do
	for source in "$here"/programs/*.c; do
		name=$(basename "$source" .c)
		cp "$source" "$name.c"
		ok "$level: recut-cc builds $name" \
			"$RECUT_CC" -g -$level "$name.c" -o "$name-$level" -L. -lmystery -Wl,-rpath,.
		check_program "$source" "$level" "$name-$level"
		[ "$name" != escape ] || check_bits "$name.c" "$name-$level"
	done
done
finish
