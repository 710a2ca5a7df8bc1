#!/usr/bin/env python3
"""What is wrong with a page of `recut slice --format html`?

    html_page.py page PAGE LINES      it is balanced, needs nothing from elsewhere, has every line
                                      of the sources, and marks those of LINES (--format lines)
    html_page.py ways PAGE [forward]  from the criterion there is a way to every line of the slice that
                                      is no jump, and a jump depends on something
    html_page.py depends PAGE LINE    what a line depends on: "NUMBER kind,kind" each

Prints what is wrong, one line each; nothing if all is well.
"""
import json
import re
import sys
from html.parser import HTMLParser

VOID = {'meta', 'input', 'br', 'link', 'img', 'hr'}
KINDS = ['data', 'control', 'call', 'threads']


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.ids = [], [], set()
        self.files = []  # of (name, rows); a row is [number, classes, text]
        self.paths = []
        self.data = ''
        self.row = None
        with open(path, encoding='utf-8') as file:  # fails if it is no UTF-8
            text = file.read()
        self.wrong += ['control character %r' % c for c in set(re.findall(r'[\0-\x08\x0b-\x1f\x7f-\x9f]', text))]
        self.feed(text)
        self.close()
        self.wrong += ['not closed: ' + tag for tag in self.open]

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if len(names) != len(attributes):
            self.wrong.append('an attribute twice in ' + self.get_starttag_text())
        if 'id' in names:
            if names['id'] in self.ids:
                self.wrong.append('twice: id ' + names['id'])
            self.ids.add(names['id'])
        for name in ('src', 'href', 'action', 'data', 'style'):
            if name in names and not names[name].startswith('#'):
                self.wrong.append('leads elsewhere: ' + self.get_starttag_text())
        self.wrong += ['a handler: ' + name for name in names if name.startswith('on')]
        if tag == 'section':
            self.files.append((names['data-file'], []))
        if tag == 'a':
            self.paths.append(names['title'])
        if 'data-n' in names:
            self.row = [int(names['data-n']), names.get('class', '').split(), '']
            self.files[-1][1].append(self.row)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append('closed, but not open: %s at %s' % (tag, self.getpos()))
        if tag == 'span':
            self.row = None

    def handle_data(self, data):
        if self.row:
            self.row[2] += data
        elif self.open and self.open[-1] == 'script' and not self.data:
            self.data = data

    def lines(self):
        """Those of the slice, in order: (file, row)."""
        return [(name, row) for name, rows in self.files for row in rows if 'in' in row[1]]


def shown(line):
    """A line of a source as a page should have it."""
    line = line.rstrip(b'\r').decode('utf-8', 'replace')
    line = re.sub('[\0-\x08\x0a-\x1f]', lambda c: chr(0x2400 + ord(c[0])), line).replace('\x7f', '\u2421')
    return re.sub('[\ufffd\x80-\x9f]+', '\ufffd', line)


def check_page(path, lines_path):
    page = Page(path)
    wrong = page.wrong
    with open(lines_path, 'rb') as file:
        wanted = [shown(line) for line in file.read().split(b'\n')[:-1]]
    marked = ['%s:%d' % (re.sub('\ufffd+', '\ufffd', name), row[0]) for name, row in page.lines()]
    if marked != wanted:
        wrong += ['marked, but not in the slice: ' + line for line in marked if line not in wanted]
        wrong += ['in the slice, but not marked: ' + line for line in wanted if line not in marked]
    for (name, rows), at in zip(page.files, page.paths):
        try:
            with open(at, 'rb') as file:
                source = file.read()
        except OSError:
            if '\ufffd' not in at and any('in' not in row[1] or row[2] for row in rows):
                wrong.append('%s cannot be read, and yet is there' % name)
            continue
        source = source.split(b'\n')
        source = source if source[-1] else source[:-1]
        if [row[0] for row in rows] != list(range(1, len(source) + 1)):
            wrong.append('%s: not all lines, or not in order' % name)
        for line, row in zip(source, rows):
            if re.sub('\ufffd+', '\ufffd', row[2]) != shown(line):
                wrong.append('%s:%d is %r, not %r' % (name, row[0], row[2], shown(line)))
    return wrong


def decode(numbers):
    """As in slice_page.js: (vertex, kinds)."""
    vertex, rest = 0, iter(numbers)
    for number in rest:
        vertex += number // 32
        yield vertex, number & 15
        for _ in range(next(rest) if number & 16 else 0):
            vertex += 1
            yield vertex, number & 15


def graph(page):
    edges = [list(decode(numbers)) for numbers in json.loads(page.data)]
    count = len(page.lines())
    assert len(edges) >= count
    assert all(a < b for list_ in edges for (a, _), (b, _) in zip(list_, list_[1:]))
    assert all(vertex != on for vertex, list_ in enumerate(edges) for on, _ in list_)
    return edges


def check_ways(path, forward):
    page = Page(path)
    edges, lines = graph(page), page.lines()
    if forward:
        backward, edges = edges, [[] for _ in edges]
        for vertex, list_ in enumerate(backward):
            for on, kinds in list_:
                edges[on].append((vertex, kinds))
    work = [i for i, (_, row) in enumerate(lines) if 'here' in row[1]]
    seen = set(work)
    while work:
        for to, _ in edges[work.pop()]:
            if to not in seen:
                seen.add(to)
                work.append(to)
    # Jumps are there for what decides about them, and globals, forward, for where they matter.
    return ['no way to %s:%d %s' % (name, row[0], row[2]) for i, (name, row) in enumerate(lines)
            if i not in seen and not ((forward or 'jump' in row[1]) and edges[i])]


def depends(path, line):
    """Of pages without junctions."""
    page = Page(path)
    edges, lines = graph(page), page.lines()
    for vertex, (_, row) in enumerate(lines):
        if row[0] == line:
            for on, kinds in edges[vertex]:
                names = [name for bit, name in enumerate(KINDS) if kinds >> bit & 1]
                yield '%d %s' % (lines[on][1][0], ','.join(names))


def main(what, path, *rest):
    if what == 'page':
        wrong = check_page(path, rest[0])
    elif what == 'ways':
        wrong = check_ways(path, bool(rest))
    else:
        wrong = depends(path, int(rest[0]))
    for line in wrong:
        print(line)


if __name__ == '__main__':
    main(*sys.argv[1:])
