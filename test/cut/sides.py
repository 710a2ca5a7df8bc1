# sides.py change IN.ll OUT.ll TABLE: has a program say what it loads, stores and copies.
# sides.py table CUT TABLE IN.ll OUT: what a cut says of each of these.
# sides.py target IN.ll SEED: some functions of it.
#
# Accesses are known by their function and their number in it, as in a cut.  The program is
# compiled with -O0, so that nearly every value goes through memory.
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "slice"))
from observed import COPY, DEBUG, LOAD, STORE, pointer, split, type_of  # noqa: E402

DEFINE = re.compile(r"^define .*@([\w.]+)\(")
INSTRUCTION = re.compile(r"^  [^ \]#]")
SIGNATURES = {"load": "ptr, i64, i32", "store": "ptr, i64, i32", "copy": "ptr, ptr, i64, i32"}


def instructions(text):
    """Yields (line, function, number); the latter None of what is no instruction."""
    function, number = None, 0
    for line in text:
        if match := DEFINE.match(line):
            function, number = match[1], 0
        elif line == "}":
            function = None
        elif function and INSTRUCTION.match(line):
            yield line, function, number
            number += 1
            continue
        yield line, function, None


def change(source, target, table):
    out, places = [], []
    for line, function, number in instructions(open(source).read().split("\n")):
        debug = DEBUG.search(line)
        tail = f", !dbg !{debug[1]}" if debug else ""
        access, size = None, None
        if number is None:
            pass
        elif match := LOAD.match(line):
            parts = split(match[1])
            access, size, at = "load", parts[0], f"ptr {pointer(parts[1])}"
        elif match := STORE.match(line):
            parts = split(match[1])
            access, size, at = "store", type_of(parts[0]), f"ptr {pointer(parts[1])}"
        elif match := COPY.search(line):
            parts = split(match[2])
            access = "store" if match[1] == "set" else "copy"
            at = f"ptr {pointer(parts[0])}"
            if access == "copy":
                at += f", ptr {pointer(parts[1])}"
            at += f", i64 {parts[2].split(' ')[-1]}"
        if access:
            if size:
                at += f", i64 ptrtoint (ptr getelementptr ({size}, ptr null, i64 1) to i64)"
            places.append((function, number))
            out.append(f"  call void @sides_{access}({at}, i32 {len(places) - 1}){tail}")
        out.append(line)
    for name, signature in SIGNATURES.items():
        out.append(f"declare void @sides_{name}({signature})")
    open(target, "w").write("\n".join(out) + "\n")
    with open(table, "w") as file:
        for function, number in places:
            file.write(f"{function} {number}\n")


def tell(cut, table, target):
    replay, logged, function = set(), set(), None
    for line in open(cut):
        words = line.split()
        if words[0] in ("replay", "environment"):
            function = words[2]
            if words[0] == "replay":
                replay.add(function)
        elif words[0] == "logged":
            logged |= {(function, int(number)) for number in words[1:]}
    with open(target, "w") as file:
        for line in open(table):
            function, number = line.split()
            side = "r" if function in replay else "e"
            file.write(side + ("l" if (function, int(number)) in logged else "-") + "\n")


def choose(source, seed):
    names = [match[1] for line in open(source) if (match := DEFINE.match(line))]
    names = [name for name in names if name.startswith("func_")] or names
    pick = random.Random(int(seed))
    print("\n".join(pick.sample(names, min(len(names), pick.choice((1, 1, 2, 3))))))


if sys.argv[1] == "change":
    change(*sys.argv[2:])
elif sys.argv[1] == "table":
    tell(*sys.argv[2:])
else:
    choose(*sys.argv[2:])
