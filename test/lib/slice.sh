# Criteria for tests of slices; sourced after tap.sh.
# shellcheck shell=bash

# criterion FILE MARK: FILE:LINE or FILE:LINE:VAR, of the line that ends in /* MARK */ or
# /* MARK: VAR */
criterion() {
	grep -nE "/\* $2(: \w+)? \*/" "$1" | head -n 1 |
		sed -E "s,^([0-9]+):.*/\* $2(: (\w+))? \*/.*,$(basename "$1"):\1:\3,; s,:$,,"
}

# mark SEED: adds to SEED.c, of csmith's, a line that prints one of the globals that main
# prints, which one is up to the seed, in front of where main does, and says which line it is.
mark() {
	local found
	found=$(grep -nE '^ *transparent_crc\(g_[0-9]+, "' "$1.c" | pick "$1") || return 1
	insert "$1" "${found%%:*}" "$found"
}

# mark_inside SEED: the same in the middle of some function.
mark_inside() {
	local found line
	found=$(grep -nE '^ *transparent_crc\(g_[0-9]+, "' "$1.c" | pick "$1") || return 1
	line=$(grep -nE '^ {8,}(for \(|if \(|[gl]_[0-9]+ |return |break;|continue;|goto )' "$1.c" |
		pick $(($1 * 31)) | cut -d: -f1)
	[ -n "$line" ] || return 1
	insert "$1" "$line" "$found"
}

# One of the lines of stdin.
pick() { awk -v seed="$1" '{ line[NR] = $0 } END { if (!NR) exit 1; print line[seed % NR + 1] }'; }

insert() {
	local variable
	variable=$(sed -E 's/.*transparent_crc\((g_[0-9]+),.*/\1/' <<<"$3")
	sed -i "$2i printf(\"slice: %lld\\\\n\", (long long)$variable);" "$1.c"
	echo "$2"
}

# printed PROGRAM [SECONDS]: what it prints at the criterion
printed() { timeout -k 5 "${2:-20}" "./$1" </dev/null 2>/dev/null | grep -a '^slice: '; }
