#!/bin/bash
# recut info: what it says of known programs, and what it says when it cannot.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static __thread int mine;
static char buffer[100];
int shown = 3;
long native_add(long, long);
int (*print)(const char *, ...) = printf;
__attribute__((noinline)) static int work(int n) {
    char local[32];
    snprintf(local, sizeof local, "%d", n);
    mine += atoi(local);
    return mine;
}
int main(int argc, char **argv) {
    char *copy = strdup(argv[0]);
    strncpy(buffer, copy, sizeof buffer - 1);
    print("%d %ld\n", work(argc), native_add(1, 2) + shown++);
    free(copy);
    return 0;
}
END
cat >native.s <<'END'
	.text
	.globl native_add
	.type native_add, @function
native_add:
	lea (%rdi,%rsi), %rax
	ret
	.size native_add, .-native_add
	.section .note.GNU-stack,"",@progbits
END
ok 'recut-cc builds it with -O2 -g' "$RECUT_CC" -g -O2 prog.c native.s -o prog
ok 'recut-cc builds it with -O0' "$RECUT_CC" -O0 prog.c native.s -o plain-o0

# value LABEL [ARGS…]: what stands behind a label.
value() {
	local label=$1
	shift
	"$RECUT" info "$@" | sed -n "s/^ *$label  *//p" | head -n 1
}

text=$("$RECUT" info prog)
same 'functions' "$(value functions prog)" 2
same 'all of them canonical' "$(value canonical prog)" 2
same 'optimised, with debug information' "$(value compiled prog)" \
	'with optimisation, with debug information'
same 'not optimised, without' "$(value compiled plain-o0)" \
	'without optimisation (-O0), without debug information'
same 'the thread-local has moved' "$(value moved prog)" 1
same 'the library' "$(value libraries prog)" libc.so.6
same 'native code' "$(value 'native code' prog)" '1 function without bitcode'
like 'a build id' "$(value 'build id' prog)" '[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*'
like 'native code is warned of' "$text" '*warning: 1 function without bitcode*'
like 'no debug information is warned of' "$("$RECUT" info plain-o0)" '*compile with -g*'
like 'no escape sequences in a pipe' "${text//$'\e'/ESCAPE}" "$text"

details=$("$RECUT" info -v prog)
for name in native_add printf snprintf __recut_strdup __recut_free; do
	like "-v names $name" "$details" "*$name*"
done
same '--functions is -v' "$("$RECUT" info --functions prog)" "$details"

json=$("$RECUT" info --json prog)
# field PYTHON: an expression over the parsed output, d.
field() { python3 -c "import json,sys; d=json.load(sys.stdin); print($1)" <<<"$json"; }
if command -v python3 >/dev/null; then
	same 'JSON: functions' "$(field "d['functions']['defined']")" 2
	same 'JSON: build id' "$(field "d['build_id']")" "$(value 'build id' prog)"
	same 'JSON: native functions' "$(field "d['native_functions']")" "['native_add']"
	same 'JSON: environment' "$(field "'printf' in d['environment'] and 'malloc' not in d['environment']")" True
	same 'JSON: libraries' "$(field "d['libraries']")" "['libc.so.6']"
else
	skip 'JSON' 'no python3'
fi

strip -s -o stripped prog
like 'a stripped program' "$("$RECUT" info stripped)" '*native code*unknown: stripped*'
same 'a stripped program keeps its functions' "$(value functions stripped)" 2

# A collector scans the stack, so nothing of this program can be canonical.
cat >collector.c <<'END'
#include <string.h>
void *GC_malloc(unsigned long size) { static char heap[99]; return memset(heap, 0, size); }
int main(void) { char local[20]; strcpy(local, "x"); return *(char *)GC_malloc(9) + strlen(local) - 1; }
END
ok 'recut-cc builds a program with a collector' "$RECUT_CC" -g -O0 collector.c -o collector
same 'all functions are left out' "$(value 'left out' collector)" 2
like 'with the reason' "$("$RECUT" info collector)" '*warning: 2 functions not canonical: *collector*'
like 'their locals are on the machine stack' "$("$RECUT" dump --memory collector)" \
	'*stack *20 bytes*local in main*'

if "$CLANG" -static prog.c native.s -o try-static 2>/dev/null; then
	ok 'recut-cc builds a static program' "$RECUT_CC" -static prog.c native.s -o static
	same 'a static program has no libraries' "$(value libraries static)" none
else
	skip 'a static program' 'no static libc'
fi

# What can be wrong.  error CODE 'one line' ARGS…
error() {
	local code=$1 line=$2 status out
	shift 2
	out=$("$RECUT" "$@" 2>&1 >/dev/null </dev/null)
	status=$?
	same "recut $*: exit $code" "$status" "$code"
	same "recut $*: one line" "$out" "$line"
}
echo 'just text' >text
echo 'int main(void) { return 0; }' >empty.c
"$CLANG" empty.c -o ordinary
cp prog damaged
offset=$(readelf -SW prog | sed -n 's/.* \.recut\.program *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
printf '\377\377\377\377' | dd of=damaged bs=1 seek=$((0x$offset + 100)) conv=notrunc status=none
head -c 64 /dev/zero | sed 's/^/BC\xc0\xde/' >bad.bc

error 1 'recut info: cannot open absent: No such file or directory' info absent
error 65 'recut info: text: not an ELF executable' info text
error 65 'recut info: ordinary: no canonical program inside: build it with CC=recut-cc' info ordinary
error 65 'recut info: damaged: the embedded program is damaged: the checksum is wrong' info damaged
error 65 'recut info: .: not an ELF executable' info .
error 2 'recut info: unknown option --nothing; see recut info --help' info --nothing prog
error 2 'recut info: unknown option -x; see recut info --help' info -x prog
error 2 'recut info: --json takes no argument; see recut info --help' info --json=1 prog
error 2 'recut info: which program?; see recut info --help' info
error 2 'recut info: one program at a time; see recut info --help' info prog prog
error 2 "recut: no command 'inof'; did you mean 'info'?" inof prog
error 2 "recut: no command 'xyzzy'; \`recut --help\` lists them" xyzzy
exits 'bad bitcode: exit 65' 65 "$RECUT" info bad.bc
if [ -e /dev/full ]; then
	"$RECUT" info prog 2>full >/dev/full
	same 'a full disk: exit 1' $? 1
	same 'a full disk: one line' "$(cat full)" 'recut info: cannot write the output: No space left on device'
fi

like 'recut alone explains itself' "$("$RECUT")" '*recut info*recut dump*'
same 'recut --help is the same' "$("$RECUT" --help)" "$("$RECUT")"
like 'recut --version' "$("$RECUT" --version)" 'recut [0-9]*'
like 'recut info --help' "$("$RECUT" info --help)" 'usage: recut info*'
same 'recut help info is the same' "$("$RECUT" help info)" "$("$RECUT" info --help)"
finish
