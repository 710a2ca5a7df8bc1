#!/usr/bin/env python3
"""mutate.py SEED FROM TO: a damaged copy of a file, the same for the same seed.

Half of the damage goes where parsers look first: headers of the file and of
its sections, and the sections of recut's own."""
import random
import struct
import sys


def places(data):
    """Offsets and lengths that matter in an ELF file."""
    shoff, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    found = [(0, 64), (shoff, size * count)]
    strings, = struct.unpack_from("<Q", data, shoff + names * size + 24)
    for i in range(count):
        name, = struct.unpack_from("<I", data, shoff + i * size)
        offset, length = struct.unpack_from("<QQ", data, shoff + i * size + 24)
        text = data[strings + name:data.index(0, strings + name)]
        if text.startswith(b".recut.") or text in (b".dynamic", b".dynstr"):
            found += [(offset, length), (offset, min(length, 56)), (shoff + i * size, size)]
    return found


def damage(data, rng):
    spots = places(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        start, length = rng.choice(spots) if rng.random() < 0.7 else (0, len(data))
        at = start + rng.randrange(max(length, 1))
        kind = rng.randrange(5)
        if at >= len(data):
            continue
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice((0, 1, 0x7f, 0x80, 0xff))
        elif kind == 2 and at + 8 <= len(data):
            struct.pack_into("<Q", data, at, rng.choice((0, 1, len(data), 2**31, 2**32 - 1, 2**63, 2**64 - 1)))
        elif kind == 3:
            end = min(len(data), at + rng.randrange(1, 64))
            data[at:end] = bytes(rng.randrange(256) for _ in range(end - at))
        elif kind == 4 and rng.random() < 0.2:
            del data[at:]
    return data


seed, source, target = int(sys.argv[1]), sys.argv[2], sys.argv[3]
with open(source, "rb") as f:
    contents = bytearray(f.read())
with open(target, "wb") as f:
    f.write(damage(contents, random.Random(seed)))
