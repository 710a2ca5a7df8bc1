#!/bin/bash
# A library that nobody described: it keeps pointers and writes through them
# later, calls back, returns memory of its own and strings in it (iTarget §3.2).
. "$(dirname "$0")/../lib/tap.sh"
programs=$root/test/replay/programs

"$CLANG" -O2 -fPIC -shared -o libthird.so "$programs/third.c" || exit 1
export XDG_CACHE_HOME=$work/cache

for level in -O0 -O1 -O2 -O3; do
	"$RECUT_CC" -w -g $level -o use "$programs/third_use.c" -L. -lthird "-Wl,-rpath,$work" ||
		{ fail "builds at $level" </dev/null; continue; }
	"$RECUT" record -q -o "trace$level" ./use "$work/file" >recorded 2>recorded.err
	recorded=$?
	# The library is still loaded; what it is asked for comes from the log.
	mkdir -p elsewhere
	(cd elsewhere && "$RECUT" replay "../trace$level") >replayed 2>replayed.err </dev/null
	replayed=$?
	same "$level: exit" "$replayed" "$recorded"
	ok "$level: output" diff recorded replayed
	ok "$level: errors" diff recorded.err replayed.err
	"$RECUT" record -q -o "again$level" ./use "$work/file" >other 2>/dev/null
	# The test is one only if two runs differ.
	exits "$level: another run prints other things" 1 cmp -s recorded other
done

# A model makes the difference: nothing of the library's memory is looked at.
cat >third.model <<'MODEL'
int third_fill(void *out: out[n], int n);
MODEL
"$RECUT" record -q --model third.model -o modelled ./use "$work/file" >recorded 2>/dev/null
"$RECUT" replay modelled >replayed 2>replayed.err
ok "with a user's model: output" diff recorded replayed
like "with a user's model: the call is decoded" "$("$RECUT" events modelled)" '*third_fill(*32) = 32*'
finish
