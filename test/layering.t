#!/bin/bash
# Does every folder use only what it may?
#
# The rule is in ARCHITECTURE.md, "Who may use whom"; the table below is the rule
# as this check reads it.  Also: llvm-c in two folders alone, clang-c in one, the runtime free of
# everything but libc and free of names that a program could trip over, and no
# file that mentions a machine's own paths.
set -u
shopt -s lastpipe
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
build=${RECUT_BUILD:-build}

tests=0 failures=0
# report NAME: passes if stdin is empty; what is there is what is wrong.
report() {
	local wrong
	wrong=$(cat)
	if [ -z "$wrong" ]; then
		echo "ok $((++tests)) - $1"
	else
		echo "not ok $((++tests)) - $1"
		failures=$((failures + 1))
		printf '%s\n' "$wrong" | sed 's/^/# /'
	fi
}

# FOLDER: folders that it may use besides itself.
analyses='base format models program analysis'
declare -A may=(
	[base]=''
	[format]='base'
	[models]='base format'
	[program]='base format models'
	[analysis]='base format models program'
	[syntax]='base'
	[slice]="$analyses syntax"
	[cut]=$analyses
	[region]=$analyses
	[instrument]="$analyses slice cut region"
	[trace]='base format models program'
	[dynslice]="$analyses slice cut region instrument trace"
	[reduce]="$analyses slice cut region instrument trace"
	[testgen]="$analyses slice cut region instrument trace dynslice reduce"
	[report]="$analyses slice cut region instrument trace dynslice reduce"
	[cc]='base format program'
	[cmd]="$analyses slice cut region instrument trace dynslice reduce testgen report"
	[runtime]='format'
)

# The folder of src that an #include "..." of file $1 means; empty for none.
folder_of() {
	local path
	if [ -e "$(dirname "$1")/$2" ]; then
		path=$(realpath --relative-to=src "$(dirname "$1")/$2")
	elif [ -e "src/$2" ]; then
		path=$2
	else
		return
	fi
	echo "${path%%/*}"
}

includes() { grep -HnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$1" -r src; }

includes '"' | while IFS=: read -r file line text; do
	name=${text#*\"} name=${name%%\"*}
	own=${file#src/} own=${own%%/*}
	used=$(folder_of "$file" "$name")
	[ -n "$used" ] && [ "$used" != "$own" ] || continue
	case " ${may[$own]-} " in
	*" $used "*) ;;
	*) echo "$file:$line: $own may not use $used: $name" ;;
	esac
done | report 'folders use only what they may'

for folder in src/*/; do
	folder=$(basename "$folder")
	[ -n "${may[$folder]+there}" ] || echo "src/$folder is not in ARCHITECTURE.md's order"
done | report 'every folder has a place in the order'

includes '<llvm-c/' | grep -vE '^src/(program|instrument)/' |
	report 'llvm-c is seen in src/program and src/instrument alone'

# parse.h is that folder's own.
{
	includes '<clang-c/'
	includes '"syntax/parse\.h"'
} | grep -v '^src/syntax/' | report 'clang-c is seen in src/syntax alone'

# A header of src/program that shows LLVM's types is for that folder and for
# src/instrument; the others see ids.
for header in $(grep -lE '#[[:space:]]*include[[:space:]]*<llvm-c/' -r src --include='*.h'); do
	name=${header#src/}
	includes "\"$name\"" | grep -vE '^src/(program|instrument)/'
done | report 'no LLVM type leaves src/program and src/instrument'

# xxHash is a header there: all of it becomes code of the runtime's own.
includes '<(llvm-c/|clang-c/|zstd|xxhash|gelf|libelf|elfutils|cjson|sqlite3)' | grep '^src/runtime/' |
	{ grep -q '^#define XXH_INLINE_ALL' src/runtime/hash.c && grep -v '^src/runtime/hash.c:' || cat; } |
	report 'the runtime uses libc alone'

if [ -e "$build/lib/librecut-rt.a" ]; then
	# The heap under libc's names is what a dynamic executable is to find; the
	# static one has it by --wrap.
	heap='malloc|calloc|realloc|free|memalign|aligned_alloc|posix_memalign|valloc|pvalloc'
	heap+='|malloc_usable_size'
	nm -A -g --defined-only "$build"/lib/librecut-*.a 2>/dev/null | awk 'NF == 3 { print $1, $3 }' |
		grep -vE " (__recut_.*|__wrap___libc_start_main|($heap)|__wrap_($heap))\$" |
		report 'the runtime exports only __recut_* and the heap'
	# But it does what the program asked for: streams for its sake (stream_*.c), its
	# locks (sync.c), and blocks that it will own, by its own malloc if it has one (owned.h).
	asked='(stream_[a-z]*|message)\.c\.o: (puts|fputs|fwrite|perror|printf|vfprintf|fflush)'
	owners=$(grep -l 'runtime/owned.h' src/runtime/*.c | sed 's|.*/||; s|\.c$||' | paste -sd'|')
	asked+='|sync\.c\.o: pthread_(mutex|rwlock)_.*'
	asked+="|($owners)\.c\.o: (malloc|calloc|realloc|free)"
	nm -A -u "$build/lib/librecut-rt.a" 2>/dev/null | awk '{ print $1, $NF }' |
		grep -E " ($heap|f?printf|puts|fputs|fwrite|perror|pthread_(mutex|rwlock|cond)_.*)\$" |
		grep -vE ":($asked)\$" | report 'the runtime calls no malloc, prints by no stdio, takes no lock'
else
	echo "ok $((++tests)) - names of the runtime # SKIP $build/lib/librecut-rt.a is not built"
fi

# Without git, as in an unpacked archive, every file that is not built.
files() {
	git ls-files -z --cached --others --exclude-standard 2>/dev/null | grep -z . ||
		find . \( -name .git -o -path ./build \) -prune -o -type f -print0
}
files | xargs -0 grep -InE '(^|[^A-Za-z0-9_.~$}])/(home|Users|work|mnt|media)/[A-Za-z0-9]' 2>/dev/null |
	grep -v '^\(\./\)\?test/layering.t:' | report "no file mentions a machine's own paths"

echo "1..$tests"
[ "$failures" = 0 ]
