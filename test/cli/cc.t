#!/bin/bash
# recut-cc in the place of cc: every way in which builds call a compiler gives
# what clang gives, and executables carry their canonical program.
. "$(dirname "$0")/../lib/tap.sh"
cc=$RECUT_CC

cat >main.c <<'C'
#include <stdio.h>
#include "part.h"
int main(int argc, char **argv) { char a[20]; snprintf(a, sizeof a, "%d", part(argc)); puts(a); return argv[argc] != 0; }
C
echo 'int part(int);' >part.h
cat >part.c <<'C'
#include "part.h"
int part(int x) { int a[4] = {x, x, x, x}; for (int i = 1; i < 4; i++) a[i] += a[i - 1]; return a[3]; }
C
cat >part.s <<'C'
    .globl part
part:
    leal (,%rdi,4), %eax
    ret
    .section .note.GNU-stack,"",@progbits
C
cat >part_cpp.S <<'C'
#define NAME part
    .globl NAME
NAME:
    leal (,%rdi,FACTOR), %eax
    ret
    .section .note.GNU-stack,"",@progbits
C

is_canonical() { llvm-readelf-19 -S "$1" | grep -q '\.recut\.program'; }
has_bitcode() { llvm-readelf-19 -S "$1" | grep -q '\.llvm\.lto'; }
# prints NAME COMMAND…: builds without a word; the executable is canonical and prints 4.
prints() {
	local name=$1
	shift
	rm -f program
	if ! "$@" >.messages 2>&1 || [ -s .messages ]; then
		{ echo "$*"; cat .messages; } | fail "$name"
	elif ! is_canonical "${exe:-program}"; then
		echo "no canonical program: $*" | fail "$name"
	else
		same "$name" "$("./${exe:-program}" 2>&1)" 4
	fi
}

# ---- compile and link
prints 'several sources in one call' "$cc" main.c part.c -o program
ok '-c' "$cc" -c main.c part.c
ok 'objects are ELF and carry bitcode' has_bitcode main.o
prints 'objects' "$cc" main.o part.o -o program
prints 'a source and an object' "$cc" main.c part.o -o program
mkdir -p out/deep
ok '-c -o in another directory' "$cc" -O2 -c main.c -o out/deep/m.o
exe=out/program prints '-o in another directory' "$cc" out/deep/m.o part.o -o out/program
exe=out/joined prints '-oNAME' "$cc" main.o part.o -oout/joined
exe=a.out prints 'a.out' "$cc" main.c part.c
prints 'assembly' "$cc" main.c part.s -o program
prints 'assembly with the preprocessor' "$cc" -DFACTOR=4 main.c part_cpp.S -o program
ok 'assembly, -c' "$cc" -c part.s -o part_s.o
prints 'an object of assembly' "$cc" main.c part_s.o -o program
ok 'C and assembly in one -c' "$cc" -DFACTOR=4 -c main.c part_cpp.S
prints 'both objects' "$cc" main.o part_cpp.o -o program
prints 'standard input' bash -c "$cc -x c - part.c -o program <main.c"
ok 'standard input, -c' bash -c "$cc -I. -x c -c - -o stdin.o <main.c"
prints 'its object' "$cc" stdin.o part.o -o program
cp main.c main.txt
prints '-x c, then none' "$cc" -x c main.txt -x none part.o -o program
prints '-xc joined' "$cc" -xc main.txt part.c -o program
printf -- '-O2\n"main.c" part.c\n-o program' >arguments
prints '@file' "$cc" @arguments
prints 'preprocessed source' bash -c "$cc -E main.c -o main.i && $cc main.i part.c -o program"
prints 'bitcode as input' bash -c "$CLANG -O1 -c -emit-llvm main.c -o main.bc && $cc main.bc part.c -o program"
prints '-static' "$cc" -static main.c part.c -o program
for level in -O0 -O1 -O2 -O3 -Os -Oz -O; do prints "$level -g" "$cc" $level -g main.c part.c -o program; done
prints '-Werror -Wall -Wextra' "$cc" -Werror -Wall -Wextra -pedantic main.c part.c -o program
prints '-fembed-bitcode' bash -c "$cc -fembed-bitcode -c main.c -o e.o && $cc -fembed-bitcode e.o part.c -o program"
prints '-v is not in the way' bash -c "$cc -v main.c part.c -o program 2>/dev/null"

# ---- libraries
"$cc" -c main.c part.c
for ar in ar llvm-ar-19 gcc-ar; do
	command -v $ar >/dev/null || { skip "$ar" 'not installed'; continue; }
	rm -f libpart.a && $ar rc libpart.a part.o
	prints "an archive of $ar" "$cc" main.o libpart.a -o program
	ranlib libpart.a
	prints "-L -l, $ar" "$cc" main.o -L. -lpart -o program
	prints "-l and its name apart, $ar" "$cc" main.o -L. -l part -o program
	prints "-l:file, $ar" "$cc" main.o -L. -l:libpart.a -o program
	rm -f libthin.a && $ar rcT libthin.a part.o 2>/dev/null
	prints "a thin archive of $ar" "$cc" main.o libthin.a -o program
done
mkdir -p sub && cp part.o sub && rm -f sub/libsub.a && (cd sub && ar rcT libsub.a part.o)
prints 'a thin archive in another directory' "$cc" main.o -Lsub -lsub -o program
cat >extra.c <<'C'
int never_needed(void); int absent(void);
int never_needed(void) { return absent(); }
C
"$cc" -c extra.c && rm -f libmany.a && ar rcs libmany.a extra.o part.o part_s.o
prints 'only the members that are needed' "$cc" main.o libmany.a -o program
prints '--whole-archive' "$cc" main.o -Wl,--whole-archive libpart.a -Wl,--no-whole-archive -o program
prints '--start-group' "$cc" main.o -Wl,--start-group libpart.a libmany.a -Wl,--end-group -o program
rm -f libmain.a && ar rcs libmain.a main.o
prints 'main in an archive' "$cc" part.o -L. -lmain -o program
"$cc" -O0 -g -c main.c && "$cc" -O3 -mavx2 -c part.c
prints 'objects of different levels' "$cc" main.o part.o -o program
for other in "$CLANG" "$CLANG -fuse-ld=lld" gcc; do
	same "objects link with $other" "$($other main.o part.o -o plain 2>&1 && ./plain)" 4
done
ok '-shared' "$cc" -shared -fPIC part.c -o libshared.so
prints 'a shared library' "$cc" main.c -L. -lshared -Wl,-rpath,"$PWD" -o program
prints 'a shared library by name' "$cc" main.c ./libshared.so -Wl,-rpath,"$PWD" -o program
ok 'ld -r of GNU' ld -r main.o part.o -o both.o
prints 'its object' "$cc" both.o -o program
ok '-r' "$cc" -r -nostdlib main.o part.o -o both2.o
prints 'its object, by recut-cc' "$cc" both2.o -o program
rm -f libboth.a && ar rcs libboth.a both.o 2>/dev/null
prints 'an archive with it' "$cc" -Wl,-u,main libboth.a -o program
out=$("$cc" -Wl,-u,main -L. -lboth -o program 2>&1)
like 'by -l it is refused by name' "$out" '*linked without its canonical program: *libboth.a(both.o)*'
same 'and works all the same' "$(./program)" 4
ok 'strip of objects' strip -g -o stripped.o main.o
prints 'a stripped object' "$cc" stripped.o part.o -o program
"$cc" main.c part.c -o program && strip program
ok 'strip keeps the canonical program' is_canonical program
same 'and it runs' "$(./program)" 4

# ---- what is passed to clang
# Where <recut.h> is.
own_headers='s/ "-c-isystem" "[^"]*"//'
for arguments in '-E main.c' '-E -P main.c' '-E -dM main.c' '-M main.c' '-MM main.c' '-S -O2 main.c -o -' '-fsyntax-only main.c' \
	'--version' '-dumpversion' '-dumpmachine' '-print-prog-name=ld' '-print-file-name=libc.so' '-print-search-dirs' \
	'-print-libgcc-file-name' '--help' '-print-multi-os-directory' '-### -c main.c' '-v' '-E -' '-S -emit-llvm part.c -o -'; do
	# shellcheck disable=SC2086
	same "$arguments" "$("$cc" $arguments 2>&1 </dev/null | sed "$own_headers"; echo ${PIPESTATUS[0]})" \
		"$("$CLANG" $arguments 2>&1 </dev/null; echo $?)"
done
printf '#include <recut.h>\nint main(void) { recut_failure("no"); return 0; }\n' >told.c
for arguments in 'told.c -o told' '-c told.c' '-E told.c' '-fsyntax-only told.c'; do
	exits "<recut.h>: $arguments" 0 "$cc" $arguments
done
RECUT_CC_PLAIN=1 exits '<recut.h>: as clang' 0 "$cc" told.c -o told
C_INCLUDE_PATH=$work/own exits '<recut.h>: C_INCLUDE_PATH is kept' 1 "$cc" -fsyntax-only -include own.h told.c
mkdir own && touch own/own.h
C_INCLUDE_PATH=$work/own exits '<recut.h>: and used' 0 "$cc" -fsyntax-only -include own.h told.c
for arguments in '-MMD -c main.c' '-MD -c main.c -o out/m.o' '-MMD -MF out/dep -MT target -c main.c' '-MD -MP -MQ a$b -c main.c' \
	'-Wp,-MMD,dep.d -c main.c' '-MMD main.c part.c -o out/prog'; do
	rm -rf d1 d2
	for d in d1 d2; do mkdir -p $d/out && cp main.c part.c part.h $d; done
	# shellcheck disable=SC2086
	(cd d1 && "$cc" $arguments) && (cd d2 && "$CLANG" $arguments)
	same "dependencies: $arguments" "$(cd d1 && find . -name '*.d' -o -name dep | sort | xargs tail -n +1 | sed "s|${TMPDIR:-/tmp}/[^ :]*|TMP|")" \
		"$(cd d2 && find . -name '*.d' -o -name dep | sort | xargs tail -n +1 | sed "s|${TMPDIR:-/tmp}/[^ :]*|TMP|")"
done
same 'files that a build leaves' "$(rm -rf d1 && mkdir d1 && cp main.c part.c part.h d1 && cd d1 && "$cc" -g main.c part.c -o x && ls)" \
	"$(printf 'main.c\npart.c\npart.h\nx')"
same 'nothing stays in the temporary directory' \
	"$(mkdir t && TMPDIR=$PWD/t "$cc" main.c part.c -o program && ls t)" ''

# ---- messages and exit codes
messages() { # NAME ARGUMENTS: same words, same code
	local a b
	# shellcheck disable=SC2086
	a=$("$cc" $2 2>&1; echo "exit $?") b=$("$CLANG" $2 2>&1; echo "exit $?")
	same "$1" "$(sed 's|/[^ :]*/[a-z_]*-[0-9a-f]*\.o|OBJECT|g' <<<"$a")" "$(sed 's|/[^ :]*/[a-z_]*-[0-9a-f]*\.o|OBJECT|g' <<<"$b")"
}
echo 'int f(void) { return undeclared; }' >wrong.c
echo 'int f(int x) { int unused; if (x = 1) return 2; }' >warns.c
echo 'int nowhere(int); int g(int x) { return nowhere(x); } int main(void) { return g(1); }' >undefined.c
messages 'an error' '-c wrong.c'
echo 'int f(int x) { int inner(int y) { return x + y; } return inner(1); }' >nested.c
messages 'a nested function' '-c nested.c'
messages 'an error in a link' 'main.c wrong.c -o program'
messages 'a warning' '-Wall -c warns.c -o warns.o'
messages 'a warning in a link' '-Wall undefined.c warns.c -o program'
messages '-Werror' '-Wall -Werror -c warns.c -o warns.o'
messages 'an undefined symbol' 'undefined.c -o program'
"$cc" -c undefined.c
messages 'an undefined symbol in an object' 'undefined.o -o program'
messages 'defined twice' 'part.o part.c main.c -o program'
messages 'no such file' 'missing.c -o program'
messages 'no such object' 'main.o missing.o -o program'
messages 'no such library' 'main.o part.o -lmissing -o program'
messages 'no such option' '--no-such-option main.c'
messages 'no input' '-o program'
messages 'no arguments' ''
messages '-c -o with two sources' '-c main.c part.c -o x.o'
messages 'an unused argument' '-c part.c -lm -o x.o'
messages 'no main' 'part.c -o program'
for option in -fsanitize=address -fsanitize=undefined,address -m32 -mx32 -fsplit-stack; do
	out=$("$cc" $option main.c part.c -o program 2>&1)
	same "$option exits 1" $? 1
	like "$option is refused by name" "$out" "recut-cc: $option is refused: ?*"
done
same 'RECUT_CC_PLAIN: the same object' \
	"$(RECUT_CC_PLAIN=1 "$cc" -O2 -g -c main.c -o p.o; sha256sum <p.o)" "$("$CLANG" -O2 -g -c main.c -o p.o; sha256sum <p.o)"
same 'RECUT_CC_PLAIN: the same executable' \
	"$(RECUT_CC_PLAIN=1 "$cc" -O2 main.c part.c -o p; sha256sum <p)" "$("$CLANG" -O2 main.c part.c -o p; sha256sum <p)"
ok 'RECUT_CC_PLAIN=0 is recut-cc' bash -c "RECUT_CC_PLAIN=0 $cc main.c part.c -o z && llvm-readelf-19 -S z | grep -q recut.program"
same 'two builds are equal' "$("$cc" -O2 -g main.c part.c -o p; sha256sum <p)" "$("$cc" -O2 -g main.c part.c -o p; sha256sum <p)"

# ---- build systems
project() { rm -rf project && mkdir project && cp main.c part.c part.h project && cd project || exit 1; }
if command -v cmake >/dev/null; then
	(project && cat >CMakeLists.txt <<-'C'
		cmake_minimum_required(VERSION 3.10)
		project(tiny C)
		include(CheckFunctionExists)
		include(CheckCSourceRuns)
		check_function_exists(strdup HAVE_STRDUP)
		check_function_exists(no_such_function HAVE_NONE)
		check_c_source_runs("int main(void) { int a[3] = {0}; return a[1]; }" RUNS)
		if(NOT HAVE_STRDUP OR HAVE_NONE OR NOT RUNS)
		  message(FATAL_ERROR "the checks are wrong")
		endif()
		add_library(part STATIC part.c)
		add_library(shared SHARED part.c)
		add_executable(program main.c)
		target_link_libraries(program part)
		add_executable(program2 main.c)
		target_link_libraries(program2 shared)
	C
	CC=$cc cmake -B build && cmake --build build) >cmake.log 2>&1
	prints 'CMake' cp project/build/program program
	prints 'CMake, a shared library' cp project/build/program2 program
else skip 'CMake' 'not installed'; fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
	(project && cat >meson.build <<-'C'
		project('tiny', 'c')
		cc = meson.get_compiler('c')
		assert(cc.has_function('strdup') and not cc.has_function('no_such_function'))
		assert(cc.get_id() == 'clang')
		part = static_library('part', 'part.c')
		executable('program', 'main.c', link_with: part)
	C
	CC=$cc meson setup build && ninja -C build) >meson.log 2>&1
	prints 'Meson (thin archives)' cp project/build/program program
else skip 'Meson' 'not installed'; fi
if command -v autoconf >/dev/null; then
	(project && cat >configure.ac <<-'C'
		AC_INIT([tiny], [1])
		AC_PROG_CC
		AC_CHECK_FUNCS([strdup no_such_function])
		AC_CHECK_SIZEOF([long])
		AC_C_BIGENDIAN
		AS_IF([test "$ac_cv_func_strdup$ac_cv_func_no_such_function$ac_cv_sizeof_long" != yesno8], [AC_MSG_ERROR([the checks are wrong])])
		AC_CONFIG_FILES([Makefile])
		AC_OUTPUT
	C
	printf 'CC=@CC@\nCFLAGS=@CFLAGS@\nprogram: main.o part.o\n\t$(CC) $(CFLAGS) -o $@ main.o part.o\n' >Makefile.in
	autoconf && CC=$cc ./configure && make) >autoconf.log 2>&1
	prints 'autoconf' cp project/program program
else skip 'autoconf' 'not installed'; fi
if command -v libtool >/dev/null; then
	lt() { libtool --tag=CC --mode="$1" "$cc" "${@:2}"; }
	(project && lt compile -c part.c -o part.lo && lt compile -c main.c -o main.lo &&
		lt link part.lo -o libinner.la && lt link libinner.la -rpath /usr/lib -o libouter.la &&
		lt link main.lo libinner.la -o program && lt link -static main.lo libouter.la -o program2) >libtool.log 2>&1
	prints 'libtool, a convenience library' cp project/program program
	prints 'libtool, a library of it' cp project/program2 program
else skip 'libtool' 'not installed'; fi
finish
