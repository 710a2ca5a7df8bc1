/*
 * The page of a slice: selecting lines, following dependences, keys.
 *
 * Lines of the slice are the elements of class `in`, in order; the data give, for each of them
 * and then for each junction (src/slice/dependences.h), what it depends on:
 *
 *     [number, ...]   ascending vertices; each number is 32 times the difference to the one
 *                     before, plus kinds (a bit each); plus 16 if another number follows, that
 *                     of the vertices right behind which are the same in kind
 */
'use strict';
(() => {
    const KINDS = ['data', 'control', 'call', 'threads'];
    const MOST_SHOWN = 200;
    const find = (selector) => document.querySelector(selector);
    const main = find('#sources'), panel = find('#panel'), search = find('#search');
    const rows = [...document.querySelectorAll('#sources .in')];
    const indices = new Map(rows.map((row, i) => [row, i]));
    const sections = [...document.querySelectorAll('#sources section')];

    let cursor = null;   // the row that keys move from
    let selected = null; // the row that the panel is about
    let hits = null;     // rows that the search has found
    let outlined = [];
    const past = [];

    /* --- the graph: by vertex, [other, kinds, other, kinds, ...] --- */

    function decode(numbers) {
        const list = [];
        let vertex = 0;
        for (let i = 0; i < numbers.length; i++) {
            const kinds = numbers[i] & 15;
            let more = numbers[i] & 16 ? numbers[i + 1] : 0;
            vertex += Math.floor(numbers[i] / 32);
            list.push(vertex, kinds);
            if (numbers[i] & 16)
                i++;
            for (; more > 0; more--)
                list.push(++vertex, kinds);
        }
        return list;
    }

    function reversed(edges) {
        const to = edges.map(() => []);
        edges.forEach((list, vertex) => {
            for (let i = 0; i < list.length; i += 2)
                to[list[i]].push(vertex, list[i + 1]);
        });
        return to;
    }

    const depends = JSON.parse(find('#data').textContent).map(decode);
    const influences = reversed(depends);

    /* Kinds of a way whose first part is of the kind `least`: the strongest on it counts. */
    function raise(kinds, least) {
        const above = (kinds >> least) << least;
        return kinds === above ? kinds : above | (1 << least);
    }

    /* The lines at the other end, also behind junctions: from index to kinds. */
    function neighbours(edges, start) {
        const found = new Map(), seen = new Map(), work = [[start, 0]];
        while (work.length) {
            const [vertex, least] = work.pop(), list = edges[vertex];
            for (let i = 0; i < list.length; i += 2) {
                const other = list[i], kinds = raise(list[i + 1], least);
                if (other < rows.length) {
                    if (other !== start)
                        found.set(other, found.get(other) | kinds);
                    continue;
                }
                const fresh = kinds & ~seen.get(other);
                seen.set(other, seen.get(other) | kinds);
                for (let kind = 0; kind < KINDS.length; kind++)
                    if (fresh & (1 << kind))
                        work.push([other, kind]);
            }
        }
        return found;
    }

    /* --- the panel --- */

    function make(tag, text, className) {
        const element = document.createElement(tag);
        if (text !== undefined)
            element.textContent = text;
        if (className)
            element.className = className;
        return element;
    }

    const sectionOf = (row) => row.closest('section');
    const fileOf = (row) => sectionOf(row).dataset.file;
    const number = (count) => count.toLocaleString('en');
    const lines = (count) => number(count) + (count === 1 ? ' line' : ' lines');

    function linkTo(row, kinds) {
        const item = make('li'), link = make('a');
        link.href = '#' + row.id;
        link.title = fileOf(row) + ':' + row.dataset.n;
        link.append(make('b', row.dataset.n), make('code', row.textContent.trim()));
        if (kinds)
            link.append(make('i', KINDS.filter((_, kind) => kinds & (1 << kind)).join(', ')));
        item.append(link);
        return item;
    }

    /* Rows by file; the one that is asked about first. */
    function listOf(entries, first, limit) {
        const lists = make('div'), files = new Map();
        for (const [index, kinds] of entries.slice(0, limit)) {
            const section = sectionOf(rows[index]);
            if (!files.has(section))
                files.set(section, make('ul'));
            files.get(section).append(linkTo(rows[index], kinds));
        }
        const order = [...files.keys()].sort((a, b) => (b === first) - (a === first));
        for (const section of order)
            lists.append(make('h4', section.dataset.file), files.get(section));
        return lists;
    }

    function appendList(entries, first) {
        let lists = listOf(entries, first, MOST_SHOWN);
        panel.append(lists);
        if (entries.length <= MOST_SHOWN)
            return;
        const more = make('button', 'Show all ' + number(entries.length));
        more.type = 'button';
        more.addEventListener('click', () => {
            const all = listOf(entries, first, entries.length);
            lists.replaceWith(all);
            more.remove();
            all.querySelector('a').focus();
        });
        panel.append(more);
    }

    function showDependences(edges, className, title, none) {
        const found = neighbours(edges, indices.get(selected));
        const section = sectionOf(selected);
        const entries = [...found].sort((a, b) =>
            (sectionOf(rows[b[0]]) === section) - (sectionOf(rows[a[0]]) === section) || a[0] - b[0]);
        panel.append(make('h3', title + ' (' + number(entries.length) + ')', className));
        if (!entries.length)
            panel.append(make('p', none));
        appendList(entries, section);
        for (const [index] of entries) {
            rows[index].classList.add(className);
            outlined.push(rows[index]);
        }
    }

    function showSelected() {
        for (const row of outlined)
            row.classList.remove('on', 'by');
        outlined = [];
        panel.replaceChildren();
        panel.scrollTop = 0;
        if (!selected) {
            panel.append(make('p', rows.length ? 'Select a line.' : 'The slice is empty.'));
            return;
        }
        panel.append(make('h2', fileOf(selected) + ':' + selected.dataset.n));
        const code = make('pre', selected.textContent.trim());
        panel.append(code);
        if (!indices.has(selected)) {
            panel.append(make('p', 'This line is not in the slice.'));
            return;
        }
        showDependences(depends, 'on', 'Depends on', 'Nothing in the slice.');
        showDependences(influences, 'by', 'Influences', selected.classList.contains('jump')
            ? 'A jump: it is in the slice because what decides about it is.' : 'Nothing in the slice.');
    }

    function showHits() {
        panel.replaceChildren();
        panel.scrollTop = 0;
        panel.append(make('h2', lines(hits.length) + ' found'));
        appendList(hits.map((row) => [indices.get(row), 0]), null);
    }

    /* --- moving and selecting --- */

    function isInView(row) {
        const box = row.getBoundingClientRect(), frame = main.getBoundingClientRect();
        const header = sectionOf(row).querySelector('h2').offsetHeight;
        return box.top >= frame.top + header && box.bottom <= frame.bottom;
    }

    function markFile(section) {
        for (const link of document.querySelectorAll('#files a'))
            link.classList.toggle('current', link.hash === '#' + section.id);
    }

    function moveTo(row) {
        if (!row)
            return;
        if (cursor)
            cursor.removeAttribute('tabindex');
        cursor = row;
        row.tabIndex = 0;
        const run = row.closest('.run');
        if (run)
            run.classList.add('open');
        if (!isInView(row))
            row.scrollIntoView({ block: 'center', inline: 'nearest' });
        row.focus({ preventScroll: true });
        markFile(sectionOf(row));
    }

    function show(row) {
        if (selected) {
            selected.classList.remove('at');
            selected.removeAttribute('aria-current');
        }
        selected = row;
        row.classList.add('at');
        row.setAttribute('aria-current', 'true');
        moveTo(row);
        showSelected();
    }

    function select(row, isBack) {
        if (!row)
            return;
        if (selected && selected !== row && !isBack)
            past.push(selected);
        show(row);
        history.replaceState(null, '', '#' + row.id);
    }

    function stepLink(by) {
        const links = [...panel.querySelectorAll('a, button')];
        const next = links[links.indexOf(document.activeElement) + by];
        if (next)
            next.focus();
    }

    function enterPanel() {
        const link = panel.querySelector('a');
        if (link && !panel.contains(document.activeElement))
            link.focus();
    }

    /* The row `by` places on, among those that keys go to; from a row between them, the next. */
    function step(by) {
        if (panel.contains(document.activeElement)) {
            stepLink(by);
            return;
        }
        const list = hits || rows;
        if (!list.length)
            return;
        const follows = (row) => cursor.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
        let at = list.indexOf(cursor);
        if (at < 0 && cursor) {
            at = list.findIndex(follows);
            at = at < 0 ? list.length : at;
            at = by > 0 ? at - 1 : at;
        }
        moveTo(list[Math.min(Math.max(at + by, 0), list.length - 1)]);
    }

    function stepFile(by) {
        const at = cursor ? sections.indexOf(sectionOf(cursor)) : -1;
        const section = sections[Math.min(Math.max(at + by, 0), sections.length - 1)];
        if (section)
            moveTo(section.querySelector('.in'));
    }

    const beginning = () => find('#sources .in.here') || find('#sources .here') || rows[0];

    /* What is looked at stays where it is. */
    function toggleFold() {
        const row = cursor && cursor.getClientRects().length ? cursor : null;
        const before = row ? row.getBoundingClientRect().top : 0;
        const isFolded = document.body.classList.toggle('folded');
        for (const run of document.querySelectorAll('.run.open'))
            run.classList.remove('open');
        if (row && row.closest('.run'))
            row.closest('.run').classList.add('open');
        find('#fold').setAttribute('aria-pressed', String(isFolded));
        if (row)
            main.scrollTop += row.getBoundingClientRect().top - before;
    }

    function runSearch() {
        const text = search.value.toLowerCase();
        for (const row of hits || [])
            row.classList.remove('hit');
        hits = null;
        if (text) {
            hits = rows.filter((row) => row.textContent.toLowerCase().includes(text));
            for (const row of hits)
                row.classList.add('hit');
            showHits();
        } else {
            showSelected();
        }
    }

    function endSearch() {
        if (search.value) {
            search.value = '';
            runSearch();
        }
        moveTo(cursor || beginning());
    }

    function goToHit() {
        if (!hits || !hits.length)
            return;
        const next = hits.find((row) => row === cursor ||
            cursor.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
        moveTo(next || hits[0]);
    }

    /* --- what the user does --- */

    const keys = {
        j: () => step(1),
        ArrowDown: () => step(1),
        k: () => step(-1),
        ArrowUp: () => step(-1),
        J: () => stepFile(1),
        n: () => stepFile(1),
        K: () => stepFile(-1),
        p: () => stepFile(-1),
        Enter: () => select(cursor),
        l: enterPanel,
        ArrowRight: enterPanel,
        h: () => moveTo(cursor),
        ArrowLeft: () => moveTo(cursor),
        b: () => past.length && select(past.pop(), true),
        c: () => moveTo(beginning()),
        f: toggleFold,
        '/': () => search.select(),
        '?': () => find('#keys').showModal(),
        Escape: endSearch,
    };

    document.addEventListener('keydown', (event) => {
        const target = event.target;
        if (event.ctrlKey || event.altKey || event.metaKey || find('#keys').open)
            return;
        if (target === search) {
            if (event.key === 'Enter')
                goToHit();
            else if (event.key === 'Escape')
                endSearch();
            return;
        }
        if (event.key === 'Enter' && target.closest('a, button, summary'))
            return;
        if (Object.hasOwn(keys, event.key)) {
            event.preventDefault();
            keys[event.key]();
        }
    });

    main.addEventListener('click', (event) => {
        const row = event.target.closest('[data-n]'), run = event.target.closest('.run');
        if (String(getSelection()))
            return; // text is being marked
        if (row)
            select(row);
        else if (run)
            run.classList.add('open');
    });

    panel.addEventListener('click', (event) => {
        const link = event.target.closest('a');
        if (!link)
            return;
        event.preventDefault();
        select(document.getElementById(link.hash.slice(1)));
    });

    find('#files').addEventListener('click', (event) => {
        const link = event.target.closest('a');
        if (!link)
            return;
        event.preventDefault();
        moveTo(find(link.hash + ' .in'));
    });

    find('#fold').addEventListener('click', toggleFold);
    find('#help').addEventListener('click', keys['?']);
    search.addEventListener('input', runSearch);

    const named = () => {
        const row = document.getElementById(location.hash.slice(1));
        return row && row.dataset.n ? row : null;
    };
    window.addEventListener('hashchange', () => select(named()));

    if (matchMedia('(max-width: 50rem)').matches)
        find('#files').open = false;
    /* The address stays as it is: a browser that is still loading would scroll there. */
    const first = named() || beginning();
    if (first)
        show(first);
    else
        showSelected();
})();
