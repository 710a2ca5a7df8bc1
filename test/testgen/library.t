#!/bin/bash
# Tests of programs that live with the objects of a library that recut knows nothing of: a recording has
# what they read of it, and tests have it at the places where it was. A monitored run leaves the heap
# that such objects are in.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache
programs=$root/test/testgen/library

"$CLANG" -g -O2 -fPIC -shared -o libshelf.so "$programs/shelf.c" || exit 1

# build NAME LEVEL [-DFIXED]
build() { "$RECUT_CC" -g "${@:2}" -o "$1" "$programs/$1.c" -L. -lshelf "-Wl,-rpath,$work"; }

for level in -O0 -O2; do
	for name in reads called mode; do
		build "$name" "$level" || continue
		rm -rf trace tests
		"$RECUT" record -q -o trace "./$name" >/dev/null 2>&1
		"$RECUT" test trace -o tests >out 2>&1
		like "$name $level: every function reproduces" "$(tail -n 2 out | head -n 1)" '* functions on the stack reproduce*'
		same "$name $level: none does anything else" \
			"$(grep -c '^[0-9].* reproduces$' out)" "$(grep -c '^[0-9][0-9]_' out)"
		# Memory of libraries is elsewhere in each run; with no randomisation it is where it was.
		ok "$name $level: they fail" bash -c "! make -s -C tests RECUT=$RECUT check >first 2>&1"
		same "$name $level: each of them" "$(grep -c ^FAIL first)" "$(grep -c '^[0-9][0-9]_' out)"
		ok "$name $level: also with one layout" bash -c "! setarch -R make -s -C tests RECUT=$RECUT check >second 2>&1"
		ok "$name $level: ... in the same way" diff first second
		rm -rf monitored "$name.crash"
		("$RECUT" monitor -q "./$name"; :) >/dev/null 2>&1
		"$RECUT" test "$name.crash" -o monitored >out 2>&1
		# What is called changes objects of the library, and nobody kept these as they were.
		[ "$name" != reads ] || ok "$name $level: monitored: the innermost reproduces" grep -q '^01_.* reproduces$' out
		ok "$name $level: monitored: main, which begins with nothing" grep -q '_main .* reproduces$' out
		build "$name" "$level" -DFIXED
		ok "$name $level: they pass when it is mended" make -s -C tests RECUT="$RECUT" check
		ok "$name $level: monitored: they pass when it is mended" make -s -C monitored RECUT="$RECUT" check
	done
	# What lies over the recorded variant is called from within that, too.
	build through "$level" || continue
	rm -rf trace tests
	"$RECUT" record -q -o trace ./through >/dev/null 2>&1
	ok "through $level: the variant says what is logged" grep -q '\.recut\.facts' trace/variant
	"$RECUT" test trace -o tests >out 2>&1
	ok "through $level: the innermost reproduces" grep -q '^01_down .* reproduces$' out
	same "through $level: so do the others" \
		"$(grep -c '^[0-9].* reproduces$' out)" "$(grep -c '^[0-9][0-9]_' out)"
	build through "$level" -DFIXED
	ok "through $level: they pass when it is mended" make -s -C tests RECUT="$RECUT" check
	# Not every pointer that leads nowhere is a block of a library's.
	build wild_free "$level" || continue
	("$RECUT" monitor -q ./wild_free; :) >/dev/null 2>&1
	"$RECUT" test wild_free.crash -o wild >out 2>&1
	ok "wild_free $level: monitored: main reproduces" grep -q '_main .* reproduces$' out
	build wild_free "$level" -DFIXED
	ok "wild_free $level: monitored: they pass when it is mended" make -s -C wild RECUT="$RECUT" check
done
finish
