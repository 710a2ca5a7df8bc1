# shellcheck shell=bash
package=lua5.4
version=5.4.4
# Debian's patches put the interpreter into a shared library by libtool; the
# upstream Makefile makes one executable of all of it.
patched=no
system=make
exes="src/lua src/luac"
note="Upstream's suite is not in its tarball: \`make test\` and scripts of ours,
with assertions of their own."

build() { make -j"$JOBS" linux CC="$CC -std=gnu99"; }

suite() {
	local f
	check make-test make test
	for f in "$DATA"/lua/*.lua; do
		check "$(basename "$f")" src/lua "$f"
		# The same by way of bytecode.
		check "$(basename "$f") compiled" sh -c '
			src/luac -o "$TMPDIR/x.luac" "$1" && src/lua "$TMPDIR/x.luac"' sh "$f"
	done
	check options src/lua -W -l string -e 'assert(string.rep("x", 3) == "xxx")' -
	shell standard-input 'test "$(echo "print(6*7)" | src/lua -)" = 42'
	shell error-exit '! src/lua -e "error(\"no\")"'
	shell listing 'echo "local a = 1; return a + 2" | src/luac -l -l -p - | grep -q ADD'
}

results() { results_automake; }
