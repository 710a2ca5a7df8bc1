#!/bin/bash
# Slices of small programs, by the marks at the ends of their lines:
#
#   /* slice */  /* slice: VAR */   the criterion: the line, or a variable there
#   /* keep */                      must be in the slice
#   /* drop */                      must not
#   /* chop */  /* chop: VAR */     where a chop ends
#
# The second line may have options of `recut slice`.  In programs with threads Krinke's two
# algorithms must agree.  Every slice must also lie within the one without calling contexts, and
# within the one without copies of functions; and a backward slice of the criterion's line, as a
# program of its own, must print the same there: lines that begin with "slice: ".  These three
# of all programs with RECUT_LONG=1, else of every third.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=test/lib/slice.sh
. "$root/test/lib/slice.sh"
programs=$root/test/slice/programs

# wrong FILE LINES: marked lines that are not as they should be
wrong() {
	awk -v name="$(basename "$1")" -v lines="$2" '
		BEGIN {
			while ((getline line < lines) > 0) {
				split(line, part, ":")
				sub(/.*\//, "", part[1])
				if (part[1] == name)
					is_in[part[2]] = 1
			}
		}
		/\/\* keep \*\// && !(FNR in is_in) { print "missing: " FNR ": " $0 }
		/\/\* drop \*\// && FNR in is_in { print "too much: " FNR ": " $0 }' "$1"
}

marks() {
	local source=$1 name=$2 options arguments
	if ! "$RECUT_CC" -w -std=gnu17 -g -O0 -pthread -o "$name" "$source" >.out 2>&1; then
		fail "$name: builds" <.out
		return
	fi
	options=$(sed -n '2s,^/\* options: \(.*\) \*/$,\1,p' "$source")
	arguments=(--at "$(criterion "$source" slice)")
	case $options in
	*--chop*)
		arguments+=(--chop "$(criterion "$source" chop)")
		options=${options/--chop/}
		;;
	esac
	# shellcheck disable=SC2206
	arguments+=($options --format lines "$name")
	if ! timeout -k 5 300 "$RECUT" slice "${arguments[@]}" >"$name.lines" 2>.out; then
		fail "$name: slices" <.out
		return
	fi
	if is_whole; then
		timeout -k 5 300 "$RECUT" slice --no-context "${arguments[@]}" >"$name.all"
		timeout -k 5 300 "$RECUT" slice --no-copies "${arguments[@]}" >"$name.one"
	else
		cp "$name.lines" "$name.all"
		cp "$name.lines" "$name.one"
	fi
	# Two algorithms for threads.
	cp "$name.lines" "$name.defined"
	if grep -qE 'pthread_create|thrd_create' "$source"; then
		timeout -k 5 300 "$RECUT" slice --by-definition "${arguments[@]}" >"$name.defined"
	fi
	{
		wrong "$source" "$name.lines"
		"$RECUT" dump --check --copies "$name" 2>&1
		diff "$name.lines" "$name.defined" | sed -n 's/^>/only by definition: /p; s/^</not by definition: /p'
		comm -23 <(sort "$name.lines") <(sort "$name.all") | sed 's/^/not without context: /'
		comm -23 <(sort "$name.lines") <(sort "$name.one") | sed 's/^/not without copies: /'
		echo "# recut slice ${arguments[*]}"
	} >.out
	if [ "$(wc -l <.out)" = 1 ]; then pass "$name"; else fail "$name" <.out; fi
}

runs() {
	local source=$1 name=$2 line
	line=$(criterion "$source" slice | cut -d: -f1,2)
	if "$CLANG" -w -std=gnu17 -g -O0 -c -emit-llvm -o "$name.bc" "$source" >.out 2>&1 &&
		timeout -k 5 300 "$RECUT" slice "$name.bc" --at "$line" --bitcode "$name.slice.bc" >.out 2>&1 &&
		"$CLANG" -w -pthread -o "$name.slice" "$name.slice.bc" >.out 2>&1; then
		same "$name: runs as a program" "$(printed "$name.slice")" "$(printed "$name")"
	else
		fail "$name: becomes a program" <.out
	fi
}

number=0
is_whole() { is_long || [ $((number % 3)) = 0 ]; }
for source in "$programs"/*.c; do
	name=$(basename "$source" .c)
	number=$((number + 1))
	marks "$source" "$name"
	sed -n 2p "$source" | grep -q '^/\* options' || ! is_whole || runs "$source" "$name"
	rm -f "$name" "$name".*
done
finish
