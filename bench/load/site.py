#!/usr/bin/env python3
"""Writes a site of pages of prose that point to each other.

    site.py FOLDER PAGES KILOBYTES [PARAGRAPH]

A paragraph has about 600 characters, or that many times as many lines; every 40th is a heading and
a link to another page.
"""
import os
import random
import sys

WORDS = ("the of and a to in is it you that he was for on are with as his they be at one have this from or had "
         "by hot but some what there we can out other were all your when up use word how said an each she").split()


def page(source, number, pages, size, lines):
    parts = [f"<!DOCTYPE html>\n<html><head><title>Page {number}</title></head>\n<body>\n"]
    total, count = len(parts[0]), 0
    while total < size:
        if count % 40 == 0:
            to = (number + 1 + source.randrange(pages)) % pages if count else (number + 1) % pages
            part = f'<h2>Part {count // 40}</h2>\n<p>See also <a href="page{to}.html">page {to}</a>.</p>\n'
        else:
            text = "\n".join(" ".join(source.choice(WORDS) for _ in range(120)) for _ in range(lines))
            part = f"<p>{text}.</p>\n"
        parts.append(part)
        total += len(part)
        count += 1
    return "".join(parts) + "</body></html>\n"


def main():
    folder, pages, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) * 1024
    lines = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    source = random.Random(1)
    for number in range(pages):
        with open(os.path.join(folder, f"page{number}.html"), "w", encoding="ascii") as out:
            out.write(page(source, number, pages, size, lines))


if __name__ == "__main__":
    main()
