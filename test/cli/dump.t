#!/bin/bash
# recut dump: every view of a small program, in every format, twice the same.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int value; };
static struct item *items;
__attribute__((noinline)) static void add(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    item->next = items;
    items = item;
}
__attribute__((noinline)) static int sum(void) {
    int total = 0;
    for (struct item *i = items; i; i = i->next)
        total += i->value;
    return total;
}
int main(int argc, char **argv) {
    int local[4] = {argc};
    (void)argv;
    for (int i = 0; i < argc + 3; i++)
        add(local[i & 3] + i);
    return printf("%d\n", sum()) < 0;
}
END
for level in O0 O2; do
	prog=prog-$level
	ok "$level: recut-cc builds it" "$RECUT_CC" -g -$level prog.c -o "$prog"
	ok "$level: the model is consistent" "$RECUT" dump --check "$prog"
	for view in functions ir cfg memory variables types; do
		"$RECUT" dump "--$view" "$prog" >"$view-1"
		"$RECUT" dump "--$view" "$prog" >"$view-2"
		ok "$level: --$view says something" test -s "$view-1"
		ok "$level: --$view twice is the same" cmp "$view-1" "$view-2"
		"$RECUT" dump "--$view" --json "$prog" >"$view.json"
		if command -v python3 >/dev/null; then
			ok "$level: --$view --json is JSON" python3 -m json.tool "$view.json" /dev/null
		else
			skip "$level: --$view --json is JSON" 'no python3'
		fi
	done
	ir=$("$RECUT" dump --ir --function add "$prog")
	like "$level: the heap site" "$ir" '*call ptr @__recut_malloc(16)*heap*prog.c:6:25*'
	like "$level: a field by name" "$ir" '*(item.value)*prog.c:7:11*'
	like "$level: a store with its size" "$ir" '*store *4 bytes*prog.c:7:17*'
	same "$level: one function alone" "$(grep -c '^f[0-9]' <<<"$ir")" 1
	like "$level: a local of main" "$("$RECUT" dump --memory --function main "$prog")" \
		'*slot*16 bytes*local in main*'
	like "$level: a variable" "$("$RECUT" dump --variables "$prog")" \
		'*item : struct item \**prog.c:6*add*'
	like "$level: a struct" "$("$RECUT" dump --types "$prog")" \
		'*16 bytes  struct item*+0    next : struct item \**+8    value : int*'
	like "$level: LLVM's text" "$("$RECUT" dump --llvm --function add "$prog")" '*define *@add(*'
done
same '--functions is the default' "$("$RECUT" dump prog-O2)" "$("$RECUT" dump --functions prog-O2)"

# The graph: as many nodes and edges as --cfg has blocks and arrows.
"$RECUT" dump --cfg prog-O0 >cfg
"$RECUT" dump --cfg --dot prog-O0 >cfg.dot
same 'dot: a node for each block' "$(grep -c '\[label="b' cfg.dot)" "$(grep -c '^  b[0-9]' cfg)"
same 'dot: an edge for each arrow' "$(grep -c ' -> b' cfg.dot)" \
	"$(sed -n 's/.* ->//p' cfg | tr ' ' '\n' | grep -c b)"
if command -v dot >/dev/null; then
	ok 'dot draws it' dot -Tsvg cfg.dot -o cfg.svg
else
	skip 'dot draws it' 'no graphviz'
fi

# Text and JSON agree, and both agree with LLVM's own text.
if command -v python3 >/dev/null; then
	"$RECUT" dump --ir --json prog-O2 >ir.json
	count=$(python3 -c '
import json
d = json.load(open("ir.json"))
print(sum(len(b["instructions"]) for f in d["functions"] for b in f["blocks"]))')
	same 'JSON has every instruction' "$count" "$("$RECUT" dump --ir prog-O2 | grep -c '^    i[0-9]')"
	loads=$(python3 -c '
import json
d = json.load(open("ir.json"))
print(sum(i["opcode"] == "load" for f in d["functions"] for b in f["blocks"] for i in b["instructions"]))')
	same 'as many loads as LLVM prints' "$loads" "$("$RECUT" dump --llvm prog-O2 | grep -c ' = load ')"
fi

error() {
	local code=$1 line=$2 status out
	shift 2
	out=$("$RECUT" "$@" 2>&1 >/dev/null </dev/null)
	status=$?
	same "recut $*: exit $code" "$status" "$code"
	same "recut $*: one line" "$out" "$line"
}
# What slices are made of: JSON and graphs that others can read, with the same numbers in them.
for what in points-to calls control threads parallel parts sdg; do
	ok "--$what: text" "$RECUT" dump --$what prog-O2
	"$RECUT" dump --$what --json prog-O2 >graph.json
	if command -v python3 >/dev/null; then ok "--$what: is JSON" python3 -m json.tool graph.json; fi
	"$RECUT" dump --$what --dot prog-O2 >graph.dot
	if command -v dot >/dev/null; then ok "--$what: is a graph" dot -Tplain -o /dev/null graph.dot; fi
done
"$RECUT" dump --sdg --json prog-O2 >graph.json
edges=$(python3 -c '
import json
print(sum(len(f["edges"]) for f in json.load(open("graph.json"))["sdg"]))')
same '--sdg: as many edges in JSON as in text' "$edges" "$("$RECUT" dump --sdg prog-O2 | grep -c '^    .* from ')"
same '--sdg: and in the graph' "$edges" "$("$RECUT" dump --sdg --dot prog-O2 | grep -c -- ' -> ')"

# What a function does to memory, with all that it calls; arrows in the graph say the same.
parts=$("$RECUT" dump --parts --function add prog-O0)
like '--parts: what is written' "$parts" '*formal  items  read, written*'
like '--parts: what is read' "$("$RECUT" dump --parts --function sum prog-O0)" $'*formal  items  read\n*'
like '--parts: by what it calls' "$("$RECUT" dump --parts --function main prog-O0)" '*formal  items  read, written*'
like '--parts: JSON' "$("$RECUT" dump --parts --json --function sum prog-O0)" \
	'*"read":true,"written":false,"cells":\["items"\]*'
like '--parts: a graph' "$("$RECUT" dump --parts --dot --function sum prog-O0)" '*"sum" -> "items" \[dir=back\]*'
same '--parallel: one thread' "$("$RECUT" dump --parallel prog-O0)" 'there is one thread'

cat >threads.c <<'END'
#include <pthread.h>
static int a, b;
static void *first(void *p) { a = 1; return p; }
static void *second(void *p) { b = 1; return p; }
int main(void) {
    pthread_t one, two;
    a = 5;
    pthread_create(&one, 0, first, 0);
    b = 5;
    pthread_join(one, 0);
    pthread_create(&two, 0, second, 0);
    a = 6;
    return a;
}
END
"$RECUT_CC" -g -O0 -pthread -o threads threads.c
# with LINE: who may run when main() is there
with() {
	"$RECUT" dump --parallel --function main threads | awk -v line="$1" '
		/thread 0/ { split($6, from, ":"); split($8, to, ":"); $1 = $2 = $3 = $4 = $5 = $6 = $7 = $8 = "" }
		from[2] <= line && line <= to[2] { sub(/^ */, ""); print }'
}
same '--parallel: before a thread is created' "$(with 7)" 'alone'
same '--parallel: in between' "$(with 9)" 'with 1'
same '--parallel: after it was joined' "$(with 12)" 'with 2'
like '--parallel: two that never meet' "$("$RECUT" dump --parallel --function first threads)" '*  with 0'
"$RECUT" dump --parallel --json threads >graph.json
ok '--parallel: is JSON' python3 -m json.tool graph.json
same '--parallel: JSON says the same' "$(python3 -c '
import json
print([r["with"] for f in json.load(open("graph.json"))["parallel"] if f["name"] == "main" for r in f["runs"]])')" \
	'[[], [1], [], [2]]'

echo 'just text' >text
error 1 'recut dump: cannot open absent: No such file or directory' dump absent
error 65 'recut dump: text: not an ELF executable' dump --ir text
error 65 'recut dump: text: not an ELF executable' dump --llvm text
error 1 'recut dump: prog-O2: no function nothing' dump --ir --function nothing prog-O2
error 1 'recut dump: prog-O2: no function nothing' dump --llvm --function nothing prog-O2
error 2 'recut dump: --function needs an argument; see recut dump --help' dump prog-O2 --function
error 2 'recut dump: unknown option --nothing; see recut dump --help' dump --nothing prog-O2
error 2 'recut dump: one thing at a time; see recut dump --help' dump --ir --cfg prog-O2
error 2 'recut dump: --dot goes with --cfg, --points-to, --calls, --control, --threads, --parallel, --parts and --sdg; see recut dump --help' \
	dump --ir --dot prog-O2
error 2 'recut dump: --llvm is text only; see recut dump --help' dump --llvm --json prog-O2
error 2 'recut dump: which program?; see recut dump --help' dump --functions
like 'recut dump --help' "$("$RECUT" dump --help)" 'usage: recut dump*'
finish
