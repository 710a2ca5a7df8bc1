#!/bin/bash
# What can be asked of `recut slice`, and what it says when it makes no sense.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

mkdir -p a b
cat >a/part.c <<'END'
int first(int value) {
    int kept = value + 1;
    return kept;
}
END
sed 's/first/second/' a/part.c >b/part.c
cat >main.c <<'END'
#include <stdio.h>
int first(int value), second(int value);
int main(int argc, char **argv) {
    (void)argv;
    int total = first(argc);

    int other = second(argc + 5);
    printf("%d\n", total);
    printf("%d\n", other);
    return 0;
}
END
"$RECUT_CC" -w -g -O0 -o prog main.c a/part.c b/part.c || exit 1

lines() { "$RECUT" slice prog --format lines "$@" | sed 's,.*/\([^/]*/part.c\),\1,' | tr '\n' ' '; }
same 'a variable' "$(lines --at main.c:8:total)" 'main.c:5 main.c:8 a/part.c:2 a/part.c:3 '
same 'a line' "$(lines --at main.c:8)" 'main.c:5 main.c:8 a/part.c:2 a/part.c:3 '
same 'a result' "$(lines --at second:return)" 'main.c:7 b/part.c:2 b/part.c:3 '
same 'a parameter' "$(lines --at second:value)" 'main.c:7 b/part.c:1 '
same 'calls' "$(lines --at call:second)" 'main.c:7 '
same 'two at once' "$(lines --at second:value --at first:value)" 'main.c:5 main.c:7 a/part.c:1 b/part.c:1 '
same 'a parameter of main()' "$(lines --at main:argc)" 'main.c:3 '
same 'a path from here' "$(lines --at ./a/../b/part.c:2)" "$(lines --at b/part.c:2)"
same 'forward' "$(lines --at main.c:7 --forward)" 'main.c:7 main.c:9 b/part.c:2 b/part.c:3 '
same 'within a function' "$(lines --at main.c:8:total --within first)" 'a/part.c:2 a/part.c:3 '
same 'within a file' "$(lines --at main.c:8:total --within a/part.c)" 'a/part.c:2 a/part.c:3 '
same 'a chop' "$(lines --at main.c:5 --chop main.c:8)" 'main.c:5 main.c:8 a/part.c:2 a/part.c:3 '
same 'a chop, within a function' "$(lines --at main.c:5 --chop main.c:8 --within first)" 'a/part.c:2 a/part.c:3 '
same 'a chop as JSON' "$("$RECUT" slice prog --at main.c:5 --chop main.c:8 --format json | grep -c '"chop":.*"main.c:8"')" 1
same 'far' "$(lines --at main.c:8:total --depth 4294967297)" "$(lines --at main.c:8:total)"
same 'near' "$(lines --at main.c:8:total --depth 1)" 'main.c:5 main.c:8 '

# Parameters that are structs, and those behind them.
cat >structs.c <<'END'
#include <stdio.h>
struct pair { long a, b; };
struct large { long all[9]; };
static struct large make(struct pair pair, int number, struct large large, double real) {
    struct large made = large;
    made.all[0] = pair.a + number + (long)real;
    return made;
}
int main(int argc, char **argv) {
    (void)argv;
    struct pair pair = {argc, 2};
    struct large large = {{0}};
    large.all[3] = argc + 1;
    int number = argc + 2;
    double real = argc + 3;
    struct large made = make(pair, number, large, real);
    printf("%ld\n", made.all[0]);
    return 0;
}
END
"$CLANG" -w -g -O0 -c -emit-llvm -o structs.bc structs.c
"$RECUT_CC" -w -g -O0 -o structs structs.c
for program in structs.bc structs; do
	parameter() { "$RECUT" slice $program --format lines --at "make:$1" | cut -d: -f2 | tr '\n' ' '; }
	same "$program: a struct in registers" "$(parameter pair)" '4 11 16 '
	same "$program: a number behind it" "$(parameter number)" '4 14 16 '
	same "$program: a struct in memory" "$(parameter large)" '4 12 13 16 '
	same "$program: a number behind that" "$(parameter real)" '4 15 16 '
done

# Of a variable that a line changes, what it leaves is asked for; how far away is counted in lines.
cat >vars.c <<'END'
#include <stdio.h>
struct pair { int a, b; };
static void give(int *to, int what) { *to = what; }
int main(int argc, char **argv) {
    int first = argc + 1;
    int second = argc + 2;
    int third;
    struct pair pair = {0};
    give(&third, second);
    pair.b = first;
    first = third;
    printf("%d %d %d\n", first, pair.b, third);
    return 0;
}
END
"$RECUT_CC" -w -g -O0 -o vars vars.c && "$RECUT_CC" -w -g -O1 -o fewer vars.c || exit 1
vars() { "$RECUT" slice vars --format lines "$@" | tr '\n' ' '; }
same 'a variable that is set' "$(vars --at vars.c:5:first)" 'vars.c:5 '
same 'a variable that is set again' "$(vars --at vars.c:11:first)" 'vars.c:3 vars.c:6 vars.c:9 vars.c:11 '
same 'a variable whose address is passed' "$(vars --at vars.c:9:third)" 'vars.c:3 vars.c:6 vars.c:9 '
same 'a field of a variable is set' "$(vars --at vars.c:10:pair)" 'vars.c:5 vars.c:8 vars.c:10 '
same 'a variable that is only set later' "$(vars --at vars.c:10:third)" 'vars.c:3 vars.c:6 vars.c:9 vars.c:10 '
cat >fields.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct place { int line, column; };
struct token { int kind; struct place at; union { long number; double real; }; unsigned flag : 3, other : 5; };
static struct token now;
int main(int argc, char **argv) {
    struct token *token = malloc(sizeof *token);
    token->kind = argc;
    token->at.column = argc + 2;
    token->number = argc + 3;
    token->flag = argc & 1;
    now.at.column = argc + 4;
    now.kind = 3;
    printf("%d %d %ld %d\n", token->kind, token->at.column, token->number, token->flag);
    printf("%d %d\n", now.kind, now.at.column);
    return 0;
}
END
"$RECUT_CC" -w -g -O0 -o fields fields.c || exit 1
fields() { "$RECUT" slice fields --format lines --at "fields.c:$1" | tr '\n' ' '; }
same 'a field behind a pointer' "$(fields '14:token->kind')" 'fields.c:7 fields.c:8 fields.c:14 '
same 'a field of a field' "$(fields '14:token->at.column')" 'fields.c:7 fields.c:9 fields.c:14 '
same 'a field of a member without a name' "$(fields '14:token->number')" 'fields.c:7 fields.c:10 fields.c:14 '
same 'a bit-field' "$(fields '14:token->flag')" 'fields.c:7 fields.c:11 fields.c:14 '
same 'a field of a variable' "$(fields 15:now.at.column)" 'fields.c:12 fields.c:15 '
same 'a field that is set' "$(fields 13:now.kind)" 'fields.c:13 '
same 'one line away' "$(vars --at vars.c:12:first --depth 1)" 'vars.c:11 vars.c:12 '
same 'two lines away' "$(vars --at vars.c:12:first --depth 2)" 'vars.c:9 vars.c:11 vars.c:12 '
same 'four lines away' "$(vars --at vars.c:12:first --depth 4)" "$(vars --at vars.c:12:first)"
same 'two lines away, forward' "$(vars --at vars.c:6 --depth 2 --forward)" 'vars.c:3 vars.c:6 vars.c:9 vars.c:11 vars.c:12 '
like 'a variable of optimised code' "$("$RECUT" slice fewer --at vars.c:12:first --format lines 2>err | tr '\n' ' ')" \
	'*vars.c:6 *'

# says NAME GLOB ARGUMENTS…: one line on stderr, exit 2
says() {
	local name=$1 glob=$2
	shift 2
	"$RECUT" slice "$@" >out 2>err
	same "$name: exit" $? 2
	like "$name: message" "$(cat err)" "recut slice: $glob"
	same "$name: one line" "$(wc -l <err)" 1
}
says 'no criterion' '*--at*' prog
says 'no program' 'which program?*' --at main.c:5
says 'a line without code' 'line 6 of main.c holds no code; the nearest that does is *' prog --at main.c:6
says 'a file that is two' 'part.c is several files: *a/part.c, *b/part.c; say more of the path' prog --at part.c:2
says 'an unknown file' 'no file with code named mian.c; did you mean main.c?' prog --at mian.c:5
says 'an unknown variable' 'no variable totl; did you mean total?' prog --at main.c:8:totl
says 'an unknown field' 'now.at.colum: no field colum; did you mean column?' fields --at fields.c:15:now.at.colum
says 'a field of a pointer' "token.kind: that is a pointer; did you mean '->kind'?" fields --at fields.c:14:token.kind
says 'behind what is no pointer' 'now->kind: that is no pointer' fields --at 'fields.c:15:now->kind'
says 'a field of a number' 'argc.kind: that is no struct, *' fields --at fields.c:8:argc.kind
says 'a field that is not on the line' 'the line itself neither reads nor writes now.flag' fields --at fields.c:15:now.flag
says 'an element of an array' 'argv\[1\]: elements of arrays are no criteria' fields --at 'fields.c:8:argv[1]'
says 'an unknown function' 'no function frist; did you mean first?' prog --at frist:return
says 'an unknown parameter' 'no parameter vale; did you mean value?' prog --at first:vale
says 'a parameter like none' 'no parameter nothing; first() has value' prog --at first:nothing
says 'a word in place of a line' 'main.c:five: five is no line of main.c' prog --at main.c:five
says 'a line below 0' 'main.c:-3: -3 is no line of main.c' prog --at main.c:-3
says 'a line that no file has' 'main.c:99999999999: 99999999999 is no line of main.c' prog --at main.c:99999999999
says 'a name like none' 'no call of qwertz' prog --at call:qwertz
says 'an unknown callee' 'no call of secnd; did you mean second?' prog --at call:secnd
says 'no criterion at all' 'nonsense is no criterion*' prog --at nonsense
says 'an unknown format' '--format xml*' prog --at main.c:5 --format xml
says 'what does not go together' '--chop has no --forward or --depth*' prog --at main.c:5 --chop main.c:8 --forward
says 'within nothing' '--within nowhere: no such function or file' prog --at main.c:5 --within nowhere
says 'within a function misspelt' '--within frist: no such function or file; did you mean first?' prog --at main.c:5 --within frist

# What the compiler has moved or left out: said once, while the graph is made.
"$RECUT_CC" -w -g -O2 -o fast main.c a/part.c b/part.c || exit 1
export XDG_CACHE_HOME=$work/cache
"$RECUT" slice fast --at main.c:8 >out 2>err
same 'optimised: exit' $? 0
like 'optimised: advice' "$(cat err)" 'recut slice: main.c and other files were optimised,*-O0 or -Og*'
same 'optimised: one line' "$(wc -l <err)" 1
"$RECUT" slice fast --at main.c:8 >again 2>err
same 'optimised: not said again' "$(cat err)" ''
ok 'optimised: the same slice' cmp out again
"$RECUT" slice prog --at main.c:8 >out 2>err
same 'not optimised: no advice' "$(cat err)" ''
says 'a line that the compiler has left nothing of' 'line 6 of main.c holds no code;*it was optimised;*' fast --at main.c:6

"$RECUT" slice prog --at main.c:8:total --format json >json
like 'JSON' "$(tr -d ' \t\n' <json)" '{"format":"recut-slice","version":1,*"lines":\[*"line":5*"line":3*\]}'
if command -v dot >/dev/null; then
	"$RECUT" slice prog --at main.c:8:total --format dot >graph.dot
	ok 'a graph for dot' dot -Tsvg -o /dev/null graph.dot
else
	skip 'a graph for dot' 'dot is not installed'
fi
finish
