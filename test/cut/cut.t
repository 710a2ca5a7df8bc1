#!/bin/bash
# recut cut: what it chooses, what it says, and what it refuses.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache RECUT_TRACE_DIR=$work/traces
programs=$root/test/cut/programs

# A field of the JSON form.
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }
names() { python3 -c 'import json, sys
print(*sorted(f["function"] for f in json.load(open(sys.argv[1]))["replay"]))' "$1"; }
less() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) <= float(sys.argv[2]))' "$@"; }

"$RECUT_CC" -g -O1 "$programs"/{server,mod_type}.c -o server || exit 1
for i in 1 2 3 4; do head -c 200000 /dev/zero >"f$i.txt"; done
ls f?.txt >list
"$RECUT" profile -q -o p ./server <list >/dev/null
"$RECUT" profile -q -o again ./server <list >/dev/null
ok 'a profile is the same whether its variant was there before or not' cmp p again

cut() { "$RECUT" cut ./server --profile p --format json "$@"; }

cut --target mod_type.c -o module.cut >module.json
same 'a module is replayed alone' "$(names module.json)" find_type
ok 'for little' less "$(field module.json bytes)" 1000
ok 'where the whole program takes its input' less 800000 "$(field module.json whole_bytes)"
cut --target whole -o whole.cut >whole.json
same 'the whole program' "$(names whole.json)" 'find_type main'
same 'costs as much as it says' "$(field whole.json bytes)" "$(field module.json whole_bytes)"
for target in find_type main; do
	cut --target $target >one.json
	ok "$target: never dearer than the whole program" less "$(field one.json bytes)" "$(field one.json whole_bytes)"
	for strategy in tight eager; do
		cut --target $target --strategy $strategy >naive.json
		same "$target: $strategy knows of the minimum cut" "$(field naive.json least_bytes)" "$(field one.json bytes)"
		ok "$target: $strategy is no cheaper" less "$(field one.json bytes)" "$(field naive.json bytes)"
	done
done
cut --target mod_type.c -o again.cut >/dev/null
ok 'the same again is the same file' cmp module.cut again.cut
ok 'the file says what it is' grep -qx 'target mod_type.c' module.cut

# How targets are written.
for words in mod_type.c find_type 'find_*' 'mod_*.c' programs/mod_type.c; do
	cut --target "$words" >named.json
	same "--target $words" "$(names named.json)" find_type
done
cut --target find_type main >two.json
same 'several targets' "$(names two.json)" 'find_type main'
cut --target programs/ >folder.json
same 'a folder' "$(names folder.json)" 'find_type main'

# The other forms.
says() { # NAME PATTERN COMMAND...
	"${@:3}" >.out 2>&1
	if grep -q -- "$2" .out; then pass "$1"; else fail "$1" <.out; fi
}
says 'text: what is in replay space' '1 of 2 functions in replay space' "$RECUT" cut ./server -p p -t find_type
says 'text: what is logged' '^ *[0-9]* *4  call      main  server.c:[0-9]*  find_type()' \
	"$RECUT" cut ./server -p p -t find_type
says 'text: what costs the most, and where' 'output    main  server.c:[0-9]*  read()' "$RECUT" cut ./server -p p -t whole
says 'text: as many bytes as were read, and six for each time' '^ *800048  *8  output    main  server.c:[0-9]*  read()' \
	"$RECUT" cut ./server -p p -t whole
says 'text: what to leave out' 'without main in the target: [0-9]* bytes' "$RECUT" cut ./server -p p -t whole
says 'without a profile it says so' 'without a profile everything weighs the same' "$RECUT" cut ./server -t find_type
says 'statistics' '^values  *[0-9]' "$RECUT" cut ./server -p p -t find_type -q --statistics
"$RECUT" cut ./server -p p -t find_type --format dot >graph.dot
if command -v dot >/dev/null; then
	ok 'a graph for dot' dot -Tsvg -o /dev/null graph.dot
else
	skip 'a graph for dot' 'dot is not installed'
fi

# What is refused, in a line.
refused() { # NAME EXIT PATTERN ARGUMENT...
	"$RECUT" cut "${@:4}" >.out 2>&1
	local status=$?
	if [ $status = "$2" ] && [ "$(grep -c '^recut cut: ' .out)" = 1 ] && grep -q -- "$3" .out; then
		pass "$1"
	else
		{ echo "exit $status"; cat .out; } | fail "$1"
	fi
}
refused 'an unknown target, with the nearest' 2 'did you mean mod_type.c?' ./server -p p -t mod_typ.c
refused 'an external' 2 'read() is outside of the program' ./server -p p -t read
refused 'an inlined function' 2 'send_body() was inlined' ./server -p p -t send_body
refused 'a pattern that fits nothing' 2 'no function or source file' ./server -p p -t 'zz*'
refused 'no target' 2 'which part of it' ./server
refused 'no program of recut' 65 'not an ELF' list -t main
refused 'a profile that is none' 65 'is not a profile' ./server -p list -t main
sed 's/"build_id":.*/"build_id": "00000000000000000000000000000000",/' p >other.p
refused 'a profile of another build' 65 'of another build' ./server -p other.p -t main
sed -E 's/("(calls|count)":\s*)[0-9]+/\10/' p >empty.p
refused 'a profile of nothing' 65 'is empty' ./server -p empty.p -t main
sed -E 's/("name":\s*)"find_type"/\1"nobody"/' p >names.p
refused 'a profile with other names' 65 'names what is not in' ./server -p names.p -t main
head -c 1000 p >part.p
refused 'a part of a profile' 65 'is not a profile' ./server -p part.p -t main
refused 'an output that cannot be' 1 'no/such' ./server -p p -t main -q -o no/such/file

# Input that nobody reads is left out, also of the whole program.
"$RECUT_CC" -g -O1 "$programs/copy.c" -o copy || exit 1
head -c 2000000 /dev/zero >input
"$RECUT" profile -q -o copy.p ./copy <input >/dev/null 2>&1
"$RECUT" cut ./copy -p copy.p -t whole -n 0 -o copy.cut >copy.text
same 'payload: what is looked at is logged when it is read' "$(grep -cE '^ +62 +31  load +main  copy.c:[0-9]+  head$' copy.text)" 1
same 'payload: and nothing that came in' "$(grep -c '  output  ' copy.text)" 0
ok 'payload: in the file, both calls are unread' grep -qE '^unread [0-9]+ [0-9]+$' copy.cut
ok 'payload: and what is written from it is blind' grep -qE '^blind [0-9]+$' copy.cut
same 'payload: the log is small' "$(sed -nE 's/^logged: ([0-9.]+) (bytes|KB), .*whole program 2.0 MB/small/p' copy.text)" small

# What cannot be separated.
"$RECUT_CC" -g -O1 "$programs/kept.c" -o kept || exit 1
"$RECUT" profile -q -o kept.p ./kept >/dev/null
"$RECUT" cut ./kept -p kept.p -t middle --format json >kept.json
same 'setjmp(), longjmp() and what is between' "$(names kept.json)" 'deep guarded middle'
"$RECUT" cut ./kept -p kept.p -t sum --format json >kept.json
same 'a variadic function and its callers' "$(names kept.json)" 'caller sum'
refused 'instructions from outside' 1 'now() has instructions whose results come from outside, and is environment' \
	./kept -p kept.p -t now

# From a crash.
"$RECUT_CC" -g -O1 "$programs/crash.c" -o crash || exit 1
(
	"$RECUT" profile -q -o crash.p ./crash
	"$RECUT" record ./crash
	:
) >/dev/null 2>&1
"$RECUT" cut ./crash -p crash.p -t crash: --format json >crash.json 2>.err || fail 'a crash' <.err
targets=" $(python3 -c 'import json, sys
print(*[f["function"] for f in json.load(open(sys.argv[1]))["replay"] if f["target"]])' crash.json) "
ok 'from a crash: the function with the cause' test "${targets/ push /}" != "$targets"
ok 'from a crash: the function that crashed' test "${targets/ total /}" != "$targets"
same 'from a crash: not what has nothing to do with it' "${targets/ unrelated /}" "$targets"
refused 'a trace of another program' 65 'another build' ./server -p p -t crash:crash-0
refused 'no such trace' 1 'nosuch' ./crash -p crash.p -t crash:nosuch
"$RECUT" record ./kept >/dev/null 2>&1
refused 'a trace without a crash' 1 'does not end with a crash' ./kept -p kept.p -t crash:kept-0
finish
