# observed.py change IN.ll OUT.ll PLACES: has a program say what it loads and stores.
# observed.py check RECUT PROGRAM.bc PLACES OBSERVED SEED: are the dependences that a run had in
# the static slices?
#
# LLVM's text of a program that was compiled with -O0 -g gets a call in front of each load, store
# and copy, with the number of a source line.  Which line wrote what another read is a dependence
# that was observed.  For some of the lines that read, all that wrote what they read must be in the
# slice on that line.  (Not what those read in turn: one line does many things.)
import random
import re
import subprocess
import sys

LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: \d+, scope: !(\d+)")
SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\((.*)\)$")
FILE = re.compile(r'^!(\d+) = (?:distinct )?!DIFile\(filename: "([^"]*)"')
DEBUG = re.compile(r", !dbg !(\d+)")
LOAD = re.compile(r"^  %\S+ = load (?:volatile )?(.+)$")
STORE = re.compile(r"^  store (?:volatile )?(.+)$")
COPY = re.compile(r"call void @llvm\.mem(cpy|move|set)[^(]*\((.+)\)")


def split(text):
    """At commas that are in no brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>")
        if c == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()]


def type_of(text):
    """What "TYPE VALUE" begins with."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>")
        if c == " " and depth == 0:
            return text[:i]
    return text


def pointer(text):
    """The address in "ptr [align N] ADDRESS"."""
    return re.sub(r"^ptr (?:(?:align|noundef|nonnull)(?: \d+)? )*", "", text)


MOST_READERS = 8


class Places:
    """Source lines by number."""

    def __init__(self):
        self.numbers, self.list = {}, [None]

    def number(self, place):
        if place not in self.numbers:
            self.numbers[place] = len(self.list)
            self.list.append(place)
        return self.numbers[place]


def read_debug(text):
    files, scopes, locations = {}, {}, {}
    for line in text:
        if match := FILE.match(line):
            files[match[1]] = match[2]
        elif match := SCOPE.match(line):
            file = re.search(r"\bfile: !(\d+)", match[2])
            scopes[match[1]] = file[1] if file else None
        elif match := LOCATION.match(line):
            locations[match[1]] = (match[2], match[3])
    return {
        key: (files.get(scopes.get(scope)), int(line)) for key, (line, scope) in locations.items()
    }


def change(source, target, table):
    text = open(source).read().split("\n")
    where, places, out = read_debug(text), Places(), []
    for line in text:
        debug = DEBUG.search(line)
        place = where.get(debug[1]) if debug else None
        number = places.number(place) if place and place[0] and place[1] else 0
        tail = f", !dbg !{debug[1]}" if debug else ""
        if number and (match := LOAD.match(line)):
            parts = split(match[1])
            call, kind, address = "observed_load", parts[0], pointer(parts[1])
        elif match := STORE.match(line):
            # What has no line is written by nobody.
            parts = split(match[1])
            call, kind, address = "observed_store", type_of(parts[0]), pointer(parts[1])
        elif match := COPY.search(line):
            parts = split(match[2])
            to, length = pointer(parts[0]), parts[2].split(" ")[-1]
            if match[1] == "set":
                out.append(f"  call void @observed_store(ptr {to}, i64 {length}, i32 {number}){tail}")
            else:
                out.append(f"  call void @observed_copy(ptr {to}, ptr {pointer(parts[1])}, i64 {length}, "
                           f"i32 {number}){tail}")
            out.append(line)
            continue
        else:
            out.append(line)
            continue
        size = f"ptrtoint (ptr getelementptr ({kind}, ptr null, i64 1) to i64)"
        out.append(f"  call void @{call}(ptr {address}, i64 {size}, i32 {number}){tail}")
        out.append(line)
    out.append("declare void @observed_load(ptr, i64, i32)")
    out.append("declare void @observed_store(ptr, i64, i32)")
    out.append("declare void @observed_copy(ptr, ptr, i64, i32)")
    open(target, "w").write("\n".join(out) + "\n")
    with open(table, "w") as file:
        for place in places.list[1:]:
            file.write(f"{place[0]}\t{place[1]}\n")


def check(recut, program, table, observed, seed):
    places = [None] + [tuple(line.rstrip("\n").split("\t")) for line in open(table)]
    writers = {}
    for line in open(observed):
        writer, reader = map(int, line.split())
        writers.setdefault(reader, set()).add(writer)
    readers = sorted(writers)
    random.Random(seed).shuffle(readers)
    checked = 0
    for reader in readers[:MOST_READERS]:
        needed = writers[reader]
        file, line = places[reader]
        at = f"{file.rsplit('/', 1)[-1]}:{line}"
        done = subprocess.run([recut, "slice", program, "--at", at, "--format", "lines"],
                              capture_output=True, text=True, timeout=300)
        if done.returncode:
            print(f"{at}: {done.stderr.strip()}")
            return 1
        has = {tuple(text.rsplit(":", 1)) for text in done.stdout.split("\n") if text}
        has = {(name.rsplit("/", 1)[-1], number) for name, number in has}
        missing = [places[n] for n in needed
                   if (places[n][0].rsplit("/", 1)[-1], places[n][1]) not in has]
        if missing:
            print(f"slice on {at} lacks {sorted(missing)[:5]}")
            return 1
        checked += len(needed)
    print(f"{checked} lines")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "change":
        change(*sys.argv[2:5])
    else:
        sys.exit(check(*sys.argv[2:7]))
