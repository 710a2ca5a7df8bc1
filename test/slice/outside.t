#!/bin/bash
# Code without bitcode that uses the program's functions and variables by their names:
# objects of another compiler, units that are sliced by themselves, libraries.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cat >main.c <<'END'
#include <stdio.h>
int shared, other;
static int hidden;
void poke(void);
void called(int by) {
    hidden += by;
}
int main(void) {
    shared = 1;
    other = 2;
    poke();
    printf("%d\n", shared);
    printf("%d\n", hidden);
    printf("%d\n", other);
    return 0;
}
END
cat >poke.c <<'END'
extern int shared;
void called(int by);
void poke(void) {
    shared = 7;
    called(5);
}
END
clang-19 -c poke.c || exit 1
"$RECUT_CC" -g -O0 -o prog main.c poke.o || exit 1
lines() { "$RECUT" slice "$@" --format lines | tr '\n' ' '; }
same 'an object without bitcode writes a variable' "$(lines prog --at main.c:12)" \
	'main.c:2 main.c:9 main.c:11 main.c:12 '
same 'and calls a function' "$(lines prog --at main.c:13)" \
	'main.c:2 main.c:3 main.c:6 main.c:9 main.c:11 main.c:13 '
same 'what it does not name is not its own' "$(lines prog --at main.c:14)" 'main.c:10 main.c:14 '

# The slice of a unit, linked with the other one again, does as the whole did.
clang-19 -g -O0 -c -emit-llvm main.c -o main.bc || exit 1
for line in 12 13 14; do
	"$RECUT" slice main.bc --at main.c:$line --bitcode slice.bc &&
		clang-19 -Wno-override-module slice.bc poke.o -o slice
	same "the slice for line $line, run" "$(./slice)" "$(./prog | sed -n $((line - 11))p)"
done

# A unit without main(): all that is not static may be called, with anything.
cat >unit.c <<'END'
static int last;
static int unused;
int both(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p;
}
static void forget(void) {
    unused = 1;
}
void set(int value) {
    last = value;
    forget();
}
int get(void) {
    return last;
}
END
clang-19 -g -O0 -c -emit-llvm unit.c -o unit.bc || exit 1
same 'parameters may be one' "$(lines unit.bc --at unit.c:6 --data)" 'unit.c:4 unit.c:5 unit.c:6 '
like 'calls come in any order' " $(lines unit.bc --at get:return)" '* unit.c:12 *'
case " $(lines unit.bc --at get:return)" in *" unit.c:9 "*) fail "a static that nobody reads stays out" ;; *) pass "a static that nobody reads stays out" ;; esac


# A library without a model keeps a function, and runs it in another call.  With many of both, what it
# may run is no longer looked at call by call.
cat >library.c <<'END'
static void (*kept)(int);
void keep(void (*function)(int)) { kept = function; }
void run(int by) { kept(by); }
END
clang-19 -shared -fPIC library.c -o library.so || exit 1
# program COUNT: as many functions besides, each given away and run
program() {
	cat <<-'END'
		#include <stdio.h>
		void keep(void (*function)(int)), run(int by);
		static int total, factor, noise;
		static void add(int by) {
		    total += by * factor;
		}
		int main(void) {
		    factor = 2;
		    keep(add);
		    factor = 3;
		    run(5);
		    printf("%d\n", total);
		    noise = 1;
		    printf("%d\n", noise);
		    return 0;
		}
	END
	local i
	for ((i = 0; i < $1; i++)); do
		echo "static int noise_$i; static void other_$i(int by) { noise_$i += by; }"
		echo "void more_$i(void) { keep(other_$i); run(1); }"
	done
}
for more in 0 150; do
	program $more >kept.c
	"$RECUT_CC" -g -O0 -rdynamic -o kept kept.c ./library.so || exit 1
	slice=" $(lines kept --at kept.c:12)"
	for line in 5 8 9 10 11; do
		like "kept functions, and $more more: line $line" "$slice" "* kept.c:$line *"
	done
	case $slice in
	*' kept.c:13 '*) fail "kept functions, and $more more: what comes later" ;;
	*) pass "kept functions, and $more more: what comes later" ;;
	esac
done

finish
