#!/bin/bash
# Commands on traces: ls, events, dump, pack, rm; on traces that are made by hand.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
make_trace=${RECUT_BUILD:-$root/build}/test/lib/trace_make
[ -x "$make_trace" ] || skip_all 'trace_make is not built: make unit-tests'

export RECUT_TRACE_DIR=$work/traces XDG_CACHE_HOME=$work/cache TZ=UTC
cat >prog.c <<'END'
#include <fcntl.h>
#include <unistd.h>
static inline int slurp(int fd, char *buf, int size) {
    return (int)read(fd, buf, size);
}
int main(int argc, char **argv) {
    char buf[4096];
    int fd = open("absent", O_RDONLY | O_CLOEXEC);
    (void)argv;
    int n = slurp(fd, buf, sizeof buf);
    return (int)write(1, buf, n + argc);
}
END
ok 'recut-cc builds a program' "$RECUT_CC" -g -O2 prog.c -o prog
# Where calls of a function return to.
returns() {
	local number # of its stub: names and stubs are in the same order
	number=$(readelf -p .recut.names prog | awk -v f="$1" '/\[/ { if ($NF == f) print n; n++ }')
	objdump -d --no-show-raw-insn prog |
		awk -v f="<__recut_env.${number:-0}>" 'found { sub(":", "", $1); print $1; exit } /call/ && index($0, f) { found = 1 }'
}
record() { # KIND NAME
	mkdir -p "traces/$2"
	"$make_trace" "$1" "traces/$2" "$work/prog" "${@:3}"
}

same 'ls without any trace says nothing' "$("$RECUT" ls 2>&1)" ''
like 'dump without any trace' "$("$RECUT" dump 2>&1)" 'recut dump: no trace yet in *'
like 'events without any trace' "$("$RECUT" events 2>&1)" 'recut events: no trace yet in *'
record sample prog-0 "$(returns open)" "$(returns read)" "$(returns write)"
record exit prog-1
record killed prog-2
record lost prog-10
record many other-0
mkdir -p traces/prog-11 traces/not-a-trace
ln -s prog-0 traces/latest-trace

# --- ls --------------------------------------------------------------------------

"$RECUT" ls >ls.out
same 'ls: the name, newest last' "$(awk '{ print $1 }' ls.out | xargs)" 'other-0 prog-0 prog-1 prog-2 prog-10 prog-11'
like 'ls: a crash' "$(grep '^prog-0 ' ls.out)" 'prog-0 *2023-11-14 22:13 *prog *4120 events *SIGSEGV'
like 'ls: an exit' "$(grep '^prog-1 ' ls.out)" '* 1 event * exit 0'
like 'ls: a kill' "$(grep '^prog-2 ' ls.out)" '*killed'
like 'ls: a full disk' "$(grep '^prog-10 ' ls.out)" '*recording stopped: "No space left on device"'
like 'ls: what is no trace' "$(grep '^prog-11 ' ls.out)" '*not a trace: there is no file trace'
like 'ls -l: the command line' "$("$RECUT" ls -l)" "*$work/prog, 2 threads, in /tmp: prog -v \"a file\"*"
ok 'ls --json is JSON' bash -c '"$RECUT" ls --json | python3 -m json.tool'
if command -v flock >/dev/null; then
	exec 9<traces/prog-2/trace
	flock -s 9
	like 'ls: still recording' "$("$RECUT" ls)" '*prog-2 *still recording*'
	exits 'rm: not while it is recorded' 1 "$RECUT" rm prog-2
	exec 9<&-
else
	skip 'ls: still recording' 'no flock'
fi

# --- events ----------------------------------------------------------------------

"$RECUT" events >events.out 2>events.err
same 'events: nothing on stderr' "$(cat events.err)" ''
has() { ok "events: $1" grep -qF -- "$2" events.out; }
has 'a failed call' '#1 prog.c:8        open("absent", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)'
has 'flags' 'open("page.txt", O_RDWR|O_CREAT|O_TRUNC) = 3'
has 'output, cut short, innermost line' '#3 prog.c:4        read(3, "GET / HTTP/1.1\r\nHost: example.or"…, 4096) = 50'
has 'strings' 'execv("/bin/no", ["no", "a \"b\"\n"]) = -1 ENOENT'
has 'a static string' 'getenv("HOME") = "/nowhere"'
has 'NULL' 'getenv("ABSENT") = NULL'
has 'a pair' 'div(-7, 2) = {-3, -1}'
has 'an unsigned number' 'srand(4294967295)'
has 'a long double' 'sqrtl(1) = 1'
has 'what was only read' '#4118 prog.c:11       write(1, <feedf00d>, 12) = 12'
has 'calls that are left out' '… 4096 calls that need no log'
has 'one that is left out' '… 1 call that needs no log'
has 'a function without a model' 'walk_tree(…) = -1'
has 'a call into the program' '→ 0x10001000(0x5, 0xffffffffffffffff)'
has 'its end' '← 1'
has 'a crash' 'SIGSEGV, address 0x10'
has 'another thread' 'thread 1'
same 'events --from --to' "$("$RECUT" events --from 3 --to '#4' --thread 0 | grep -c 'read(3')" 2
same 'events --function' "$("$RECUT" events --function open | grep -c '#')" 2
same 'events of 100000 calls' "$("$RECUT" events other-0 2>/dev/null | wc -l)" 100000
like 'events --stat' "$("$RECUT" events --stat)" '*calls *errors *bytes *function* 3 * 0 * 80  read*4102 * that need no log*'
for options in '' '--stat' '--function read' '--from 5 --to 9'; do
	# shellcheck disable=SC2086
	ok "events --json $options is JSON" bash -c "\"$RECUT\" events --json $options | python3 -m json.tool"
done
same 'events --json: lines of what is inlined' "$("$RECUT" events --json --function read --thread 0 | python3 -c '
import json, sys
for e in json.load(sys.stdin)["events"][:1]:
    print([(s["function"], s["line"]) for s in e["source"]], e["outputs"][0]["name"], e["result"])')" \
	"[('slurp', 4), ('main', 10)] buf 50"

# Less and less is known of the program.
cp prog whole
strip -g prog
like 'events: a name without debugging information' "$("$RECUT" events 2>&1)" '*#1 main *open(*'
strip prog
like 'events: an address without symbols' "$("$RECUT" events 2>&1)" '*#1 0x100* *open(*'
echo 'int main(void) { return 2; }' >other.c
"$RECUT_CC" -g other.c -o prog
like 'events: another build of the program' "$("$RECUT" events 2>&1 >/dev/null)" \
	"recut events: no source lines: $work/prog was built anew since it was recorded"
exits 'pack: another build of the program' 1 "$RECUT" pack
rm prog
like 'events: no program' "$("$RECUT" events 2>&1)" '*no source lines: cannot open*#1 0x100*'
mv whole prog

# --- dump ------------------------------------------------------------------------

"$RECUT" dump prog-0 >dump.out
ok 'dump: the header' grep -q '^environment   "HOME=/nowhere"' dump.out
ok 'dump: a site' grep -q 'site  1 read 0x[0-9a-f]*  slurp prog.c:4 < main prog.c:10$' dump.out
ok 'dump: nothing is cut short' grep -qF 'out  buf, 50 bytes: "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n"' dump.out
ok 'dump: hashes' grep -q 'hash  after #4118: 0123456789abcdef' dump.out
ok 'dump: variables' grep -q 'start 2 variables' dump.out
ok 'dump --json is JSON' bash -c '"$RECUT" dump --json prog-0 | python3 -m json.tool'
same 'dump --json has every event' "$("$RECUT" dump --json prog-0 | grep -c '^  {')" "$(grep -c '^ *[0-9]*  #' dump.out)"
same 'dump of the last recording' "$("$RECUT" dump)" "$(cat dump.out)"
exits 'dump --check' 0 "$RECUT" dump --check traces/prog-0
exits 'dump of a trace takes no --ir' 2 "$RECUT" dump --ir prog-0
like 'dump of a program is what it was' "$("$RECUT" dump prog)" '*main*'

# --- pack ------------------------------------------------------------------------

same 'pack prints the name' "$("$RECUT" pack)" prog-0.recut
same 'pack: mode' "$(stat -c %a prog-0.recut)" 600
ok 'pack: tar can read it' bash -c 'tar --zstd -tf prog-0.recut 2>/dev/null || zstd -dcq prog-0.recut | tar -tf -'
mv prog whole
"$RECUT" events prog-0.recut >packed.out 2>packed.err
ok 'events of a packed trace, without the program' cmp events.out packed.out
same 'and nothing on stderr' "$(cat packed.err)" ''
mv whole prog
same 'the cache is private' "$(stat -c %a cache/recut/packed/*)" 700
ok 'packed again, it is the same' bash -c '"$RECUT" pack prog-0.recut -o again.recut && cmp prog-0.recut again.recut'
ok 'dump of a packed trace' "$RECUT" dump --check prog-0.recut
exits 'pack: no such trace' 1 "$RECUT" pack prog-77

# What others may have put into an archive.
cat >tar.py <<'END'
"""tar.py OUT NAME:SIZE[:TYPE[:LINK]]...: a packed trace with these files, compressed by zstd."""
import subprocess, sys
data = b""
for entry in sys.argv[2:]:
    name, size, kind, link = (entry.split(":") + ["0", "/etc/passwd"][len(entry.split(":")) - 2:])[:4]
    size = int(size)
    head = name.encode().ljust(100, b"\0") + b"0000600\0" + b"0000000\0" * 2
    head += b"%011o\0" % size if size < 8**11 else b"\x80" + size.to_bytes(11, "big")
    head += b"%011o\0" % 0
    tail = kind.encode() + link.encode().ljust(100, b"\0") + b"ustar\0" + b"00" + b"\0" * 247
    total = sum(head) + sum(b" " * 8) + sum(tail)
    data += head + b"%06o\0 " % total + tail
    data += b"\0" * (min(size, 1000) + -min(size, 1000) % 512)
data += b"\0" * 1024
packed = subprocess.run(["zstd", "-qc"], input=data, stdout=subprocess.PIPE).stdout
open(sys.argv[1], "wb").write(b"\x50\x2a\x4d\x18\x08\0\0\0RECUTPK1" + packed)
END
if command -v zstd >/dev/null; then
	refused() { # NAME MESSAGE ENTRY...
		python3 tar.py bad.recut "${@:3}"
		out=$("$RECUT" events bad.recut 2>&1)
		same "$1: exit 65" $? 65
		like "$1: one line" "$out" "recut events: bad.recut: $2"
	}
	refused 'up and away' 'is damaged: it holds a file that is no part of a trace' ../evil:5
	refused 'an absolute path' 'is damaged: it holds a file that is no part of a trace' /tmp/evil:5
	refused 'up from lib' 'is damaged: it holds a file that is no part of a trace' lib/../../evil:5
	refused 'up from a child' 'is damaged: it holds a file that is no part of a trace' pid.7/../../evil:5
	refused 'up from exec' 'is damaged: it holds a file that is no part of a trace' exec/../../evil:5
	refused 'a directory of no process' 'is damaged: it holds a file that is no part of a trace' pid.x/log.0:5
	refused 'a file of a child twice' 'is damaged: it holds a file twice' pid.7/log.0:5 pid.7/log.0:5
	for link in /etc/passwd ../evil lib/../../evil lib/b lib trace ''; do
		refused "a link to '$link'" 'is damaged: it holds a link that leads to no program in it' trace:5 lib/a:0:1:"$link"
	done
	refused 'a link to itself' 'is damaged: it holds a link that leads to no program in it' lib/a:0:1:lib/a
	refused 'a log that is a link' 'is damaged: it holds a link that leads to no program in it' lib/a:5 log.0:0:1:lib/a
	refused 'a link to a log' 'is damaged: it holds a link that leads to no program in it' log.0:5 lib/a:0:1:log.0
	refused 'a link with contents' 'is damaged: a file that recut did not pack' lib/a:5 lib/b:5:1:lib/a
	refused 'a good link, and no trace' 'not a trace: there is no file trace' lib/a:5 exec/lib/b:0:1:lib/a
	refused 'a symbolic link' 'is damaged: it holds something that is not a file' trace:0:2
	refused 'a device' 'is damaged: it holds something that is not a file' trace:0:3
	refused 'a file twice' 'is damaged: it holds a file twice' trace:5 trace:5
	refused 'more than there is' 'is damaged: it is cut off' log.0:8000000000
	refused 'absurdly much' 'is damaged: a file that recut did not pack' trace:100 log.0:9999999999999999
	refused 'no trace inside' 'not a trace: there is no file trace' log.0:5
	same 'nothing of it is left' "$(find . -name 'evil*' -o -name '*.tmp')" ''
else
	skip 'hostile archives' 'no zstd'
fi
size=$(stat -c %s prog-0.recut)
for cut in 0 10 16 17 100 $((size / 2)) $((size - 1)); do
	head -c "$cut" prog-0.recut >cut.recut
	exits "a packed trace that is cut at $cut" 65 "$RECUT" events cut.recut
done

# --- damage ----------------------------------------------------------------------

error() {
	local name=$1 line=$2 out status
	shift 2
	out=$(timeout 300 "$RECUT" "$@" 2>&1 >/dev/null </dev/null)
	status=$?
	same "$name: exit 65" $status 65
	like "$name: one line" "$out" "$line"
	rm -rf traces/bad-0
}
copy() { rm -rf traces/bad-0 && cp -r traces/prog-0 traces/bad-0; }
poke() { printf '%b' "$3" | dd of="traces/bad-0/$1" bs=1 seek="$2" conv=notrunc status=none; }
copy && poke log.0 4200 '\377' && error 'a byte of an event' '*bad-0: log.0: is damaged at byte 4096: the checksum of a chunk is wrong' dump --check bad-0
copy && poke log.0 24 '\377' && error 'another build' '*bad-0: log.0: belongs to another build of the program' events bad-0
copy && poke trace 8 '\007' && error 'another version' '*bad-0: trace: has format version 7, this recut reads 6' events bad-0
copy && truncate -s 4200 traces/bad-0/log.0 && error 'a log that is cut off' '*log.0: is damaged at byte 4096: the file is cut off' events --stat bad-0
copy && cp traces/prog-2/log.0 traces/bad-0/log.1 && error 'a log of another thread' '*log.1: belongs to another thread' events bad-0
copy && rm traces/bad-0/models && error 'no models' '*the file models is missing' events bad-0
copy && rm traces/bad-0/log.1 && mkfifo traces/bad-0/log.1 && error 'a FIFO' '*log.1: is not a file' events bad-0
copy && rm traces/bad-0/log.1 && mkdir traces/bad-0/log.1 && error 'a folder' '*log.1: is not a file' events bad-0
mkfifo pipe
error 'a FIFO as the trace' '*pipe: is not a trace' events ./pipe
error 'a file as the trace' '*prog.c: is not a trace' events ./prog.c

# --- rm --------------------------------------------------------------------------

mkdir mine && touch mine/trace mine/file
exits 'rm: what is not a trace' 65 "$RECUT" rm mine
exits 'rm: a file that is not a trace' 65 "$RECUT" rm ./prog.c
ok 'rm: it is still there' test -e mine/file -a -e prog.c
exits 'rm: what is not there' 1 "$RECUT" rm prog-77
ok 'rm: two' "$RECUT" rm prog-1 traces/prog-10
same 'rm: latest-trace stays' "$(readlink traces/latest-trace)" prog-0
ok 'rm: a damaged one' "$RECUT" rm prog-11
ok 'rm: the latest' "$RECUT" rm latest-trace
same 'rm: latest-trace moves on' "$(readlink traces/latest-trace)" other-0
ok 'rm: a packed one' "$RECUT" rm prog-0.recut
ok 'rm: it is gone' test ! -e prog-0.recut
ok 'rm --all' "$RECUT" rm --all
same 'rm --all leaves what is not a trace' "$(ls traces)" not-a-trace
exits 'rm of nothing' 2 "$RECUT" rm
exits 'rm --all and more' 2 "$RECUT" rm --all prog-0
for command in ls events pack rm; do
	like "recut $command --help" "$("$RECUT" $command --help)" "usage: recut $command*"
done
exits 'events: a number that is none' 2 "$RECUT" events --from x
exits 'events: two traces' 2 "$RECUT" events a b
exits 'ls: an argument' 2 "$RECUT" ls x
finish
