#!/bin/bash
# What recut-cc does with files that are damaged, foreign or missing, and where
# it cannot write: a line that names the file, an exit code that stops a build,
# and never half an executable.
. "$(dirname "$0")/../lib/tap.sh"
cc=$RECUT_CC

cat >main.c <<'C'
int part(int);
int main(void) { volatile char a[10]; a[3] = (char)part(4); return a[3]; }
C
echo 'int part(int x) { volatile int a[2]; a[1] = x; return a[1]; }' >part.c
"$cc" -c -O1 main.c part.c
cat >patch.py <<'C'
import struct, sys
# patch.py OBJECT HOW: changes the section with the bitcode in place.
path, how = sys.argv[1:3]
data = bytearray(open(path, "rb").read())
shoff, = struct.unpack_from("<Q", data, 40)
size, count, names = struct.unpack_from("<HHH", data, 58)
def header(i): return shoff + i * size
strings, = struct.unpack_from("<Q", data, header(names) + 24)
for i in range(count):
    name, = struct.unpack_from("<I", data, header(i))
    end = data.index(0, strings + name)
    if data[strings + name:end] == b".llvm.lto":
        offset, length = struct.unpack_from("<QQ", data, header(i) + 24)
        if how == "half": struct.pack_into("<Q", data, header(i) + 32, length // 2)
        if how == "empty": struct.pack_into("<Q", data, header(i) + 32, 0)
        if how == "outside": struct.pack_into("<Q", data, header(i) + 32, 1 << 40)
        if how == "foreign": data[offset:offset + length] = (b"not bitcode at all " * length)[:length]
        if how == "zero": data[offset:offset + length] = bytes(length)
        if how == "middle": data[offset + length // 3:offset + length // 2] = bytes([0x5a]) * (length // 2 - length // 3)
        if how == "version": data[offset + 8:offset + 40] = bytes([0xff]) * 32
        if how == "magic": data[offset:offset + 4] = b"BC\xc0\xdf"
open(path, "wb").write(data)
C
command -v python3 >/dev/null || skip_all 'python3 is not installed'

# After each attempt the program must be whole or not there.
whole() { ! [ -e program ] || { ./program; [ $? = 4 ]; }; }
for how in half empty foreign zero middle version magic; do
	cp part.o damaged.o
	python3 patch.py damaged.o $how
	rm -f program
	out=$("$cc" main.o damaged.o -o program 2>&1)
	status=$?
	if [ $status = 0 ]; then
		like "bitcode $how: says why" "$out" 'recut-cc: warning: program: linked without its canonical program: ?*'
		./program
		same "bitcode $how: the machine code is used" $? 4
	else
		like "bitcode $how: names the object (exit $status)" "$out" '*damaged.o*'
		ok "bitcode $how: nothing half done" whole
	fi
done
cp part.o damaged.o && python3 patch.py damaged.o outside
rm -f program
out=$("$cc" main.o damaged.o -o program 2>&1)
ok "a section beyond the end: linked whole or not at all (${out:-without a word})" whole

for size in 0 10 63 64 300 1000; do
	head -c $size part.o >cut.o
	rm -f program
	out=$("$cc" main.o cut.o -o program 2>&1)
	status=$?
	ok "an object of $size bytes: exit $status" test $status = 1
	# An empty file is an empty linker script: what is missing then is the function.
	like "an object of $size bytes: a message" "$out" '*@(cut.o|part)*'
	ok "an object of $size bytes: no program" test ! -e program
done
head -c 100 /dev/urandom >random.o
exits 'random bytes' 1 "$cc" main.o random.o -o program
rm -f libcut.a && ar rcs libcut.a part.o && truncate -s -500 libcut.a
out=$("$cc" main.o libcut.a -o program 2>&1)
same 'an archive that is cut off: exit' $? 1
like 'an archive that is cut off: named' "$out" '*libcut.a*'
printf '!<thin>\n' >libempty.a
exits 'an empty thin archive' 1 "$cc" main.o libempty.a -o program
cp part.o gone.o && rm -f libgone.a && ar rcT libgone.a gone.o && rm gone.o
out=$("$cc" main.o libgone.a -o program 2>&1)
same 'a thin archive whose member is gone: exit' $? 1
like 'a thin archive whose member is gone: named' "$out" '*gone.o*'

# ---- no compiler
mkdir -p empty_path
out=$(PATH=$PWD/empty_path "$cc" -c main.c -o none.o 2>&1)
same 'no clang: exit' $? 1
like 'no clang: says what to install' "$out" 'recut-cc: cannot run clang-19: *'
out=$(PATH=$PWD/empty_path "$cc" main.c part.c -o program 2>&1)
same 'no clang, a link: exit' $? 1
like 'no clang, a link: one line' "$out" 'recut-cc: *clang-19*'
out=$(PATH=$PWD/empty_path "$cc" --version 2>&1)
like 'no clang, --version' "$out" 'recut-cc: cannot run clang-19: *'
mkdir -p broken/bin && cp "$cc" broken/bin/recut-cc
out=$(broken/bin/recut-cc main.o part.o -o program 2>&1)
like 'not installed whole: says so' "$out" 'recut-cc: warning: program: linked without its canonical program: * is missing from *: recut is not installed whole'
./program
same 'not installed whole: works all the same' $? 4

# ---- nowhere to write
old() { echo 'the old file' >"$1/program"; chmod +x "$1/program"; }
unchanged() { ! [ -e "$1/program" ] || [ "$(head -c 12 "$1/program")" = 'the old file' ]; }
out=$("$cc" main.o part.o -o no/such/directory/program 2>&1)
same 'no such directory: exit' $? 1
like 'no such directory: named' "$out" '*no/such/directory/program*'
if [ "$(id -u)" = 0 ] && ! command -v setpriv >/dev/null; then
	skip 'a directory that is read-only' 'root may write everywhere, and setpriv is missing'
else
	as=() && [ "$(id -u)" = 0 ] && as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	mkdir fixed && old fixed && chmod 555 fixed && chmod 755 . && chmod 444 fixed/program
	out=$(TMPDIR=/tmp "${as[@]}" "$cc" main.o part.o -o fixed/program 2>&1)
	status=$?
	if [[ $out == *'ermission denied'* && $out != *fixed* ]]; then
		skip 'a directory that is read-only' "another user cannot run recut-cc here: $out"
	else
		same 'a read-only directory: exit' $status 1
		like 'a read-only directory: named' "$out" '*fixed/program*'
		ok 'a read-only directory: the old file stays' unchanged fixed
	fi
	out=$(TMPDIR=$PWD/fixed "${as[@]}" "$cc" main.o part.o -o /dev/null 2>&1)
	like 'no temporary directory: named' "$out" '*fixed*'
fi
mkdir disk
if mount -t tmpfs -o size=48k tmpfs disk 2>/dev/null; then
	old disk
	out=$("$cc" main.o part.o -static -o disk/program 2>&1)
	same 'a full disk: exit' $? 1
	like 'a full disk: says so and names the file' "$out" '*disk/program: No space left on device*'
	same 'a full disk: nothing is left behind' "$(ls disk)" program
	ok 'a full disk: nothing half done' unchanged disk
	rm -f disk/program
	out=$(TMPDIR=$PWD/disk "$cc" main.o part.o -static -o program 2>&1)
	status=$?
	./program
	same "no room for temporary files (exit $status): the program is whole" $? 4
	umount disk
else
	skip 'a full disk' 'a small file system cannot be mounted here'
fi
finish
