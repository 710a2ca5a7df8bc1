#!/bin/bash
# Do the built-in models say what the system's headers say?
#
# Each prototype is given to the compilers behind glibc's own, which refuse one
# that differs; so are sizes and offsets.  Names are looked up in the libraries.
. "$(dirname "$0")/../lib/tap.sh"
tool=${RECUT_BUILD:-$root/build}/obj/recut-models
[ -x "$tool" ] || skip_all "$tool is not built"
cd "$root" || exit 1
models=(src/models/types.model)
for file in src/models/*.model; do
	[ "$file" = src/models/types.model ] || models+=("$file")
done
"$tool" names "${models[@]}" >"$work/names" && "$tool" check "${models[@]}" >"$work/check" || exit 1
"$tool" binary "${models[@]}" >"$work/table" && "$tool" binary "${models[@]}" >"$work/again"
cd "$work" || exit 1

# Functions for large files have types of their own names; on this machine they
# are the same.
large() {
	sed -E '/ \([a-z_]*64[a-z_0-9]*\)\(/{
		s/struct (stat|statfs|statvfs|dirent|aiocb|rlimit)\b/struct \164/g
		s/\b(FTS|FTSENT)\b/\164/g
		s/\b(fpos|glob)_t\b/\164_t/g
	}'
}
{ cat "$root/test/models/headers.h"; large <check; } >check.c
agrees() { "$@" -std=gnu17 -D_GNU_SOURCE -fsyntax-only -w; }
for compiler in "$CLANG" gcc; do
	ok "prototypes, sizes and offsets are those of the headers: $compiler" \
		agrees "$compiler" check.c
	ok "so are those of the fortified functions: $compiler" \
		agrees "$compiler" -O2 -D_FORTIFY_SOURCE=2 check.c
done

# The check must be able to fail.
sed 's/^int (close)(int fd)/int (close)(long fd)/' check.c >wrong-type.c
sed 's/pw_shell) == 40/pw_shell) == 32/' check.c >wrong-offset.c
for file in wrong-type.c wrong-offset.c; do
	if cmp -s $file check.c; then fail "$file differs" </dev/null; fi
	ok "$file is noticed" eval "! agrees $CLANG $file"
done

# Without a header there is nothing to compare with: those names are reserved
# ones, and these.
undeclared='_IO_getc|_IO_putc|_obstack_allocated_p|_obstack_free|accept4|bsd_signal|cfree|gets'
undeclared+='|pivot_root|recvmmsg|sendmmsg'
{
	cat "$root/test/models/headers.h"
	awk '{ print "extern __typeof__(" $1 ") " $1 ";" }' names
} >declared.c
"$CLANG" -O2 -D_FORTIFY_SOURCE=2 -std=gnu17 -D_GNU_SOURCE -fsyntax-only -ferror-limit=0 -w declared.c \
	2>&1 | sed -n "s/.*undeclared identifier '\([^']*\)'.*/\1/p" | sort -u >undeclared
same 'all but reserved names and a few are in a header' \
	"$(grep -vE "^(__.*|$undeclared)\$" undeclared)" ''

libraries=(libc.so.6 libm.so.6 libcrypt.so.1 libtinfo.so.6 libc_nonshared.a)
for library in "${libraries[@]}"; do
	path=$("$CLANG" -print-file-name="$library")
	[ -e "$path" ] || continue
	case $library in
	*.a) nm --defined-only "$path" 2>/dev/null ;;
	*) nm -D --defined-only "$path" ;;
	esac
done | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u >symbols
same 'every name is one of a library' \
	"$(cut -d' ' -f1 names | sort | comm -23 - symbols)" ''

same 'no function has two models' "$(cut -d' ' -f1 names | sort | uniq -d)" ''
ok 'the same models give the same bytes' cmp table again
count=$(wc -l <names)
echo "# $count functions have models: $(cut -d' ' -f2 names | sort | uniq -c |
	awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }')"
ok "$count functions have models, at least 450" [ "$count" -ge 450 ]
sed -n 's/^REDIRECT(\([a-z_0-9]*\),.*/\1/p' "$root/src/program/redirects.def" | sort >redirects
same 'so has everything that the runtime brings itself' \
	"$(cut -d' ' -f1 names | sort | comm -13 - redirects)" ''
finish
