#!/usr/bin/env python3
"""Uses a page of `recut slice --format html` as somebody would, in Chromium by chromedriver.

    html_browser.py PAGE HOSTILE-PAGE EMPTY-PAGE
    html_browser.py --look PAGE FOLDER    screenshots, to be looked at

The pages are those of test/slice/html.t.  Prints "ok NAME" or "not ok NAME: what came instead".
"""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

ENTER, ESCAPE, DOWN, UP = '\ue007', '\ue00c', '\ue015', '\ue013'
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


class Browser:
    """What is used of https://www.w3.org/TR/webdriver2/."""

    def __init__(self, home):
        environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home)
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, env=environment)
        for line in self.driver.stdout:
            port = re.search(r'successfully on port (\d+)', line)
            if port:
                break
        self.at = 'http://127.0.0.1:%s/session' % port[1]
        arguments = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     '--window-size=1300,800', '--user-data-dir=' + home + '/profile']
        self.at += '/' + self.post('', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': {'args': arguments},
            'goog:loggingPrefs': {'browser': 'ALL'}}}})['sessionId']

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.at + path, data, {'Content-Type': 'application/json'},
                                         method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)['value']

    def post(self, path, body):
        return self.request('POST', path, body)

    def close(self):
        try:
            self.request('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait(20)

    def open(self, page):
        self.post('/url', {'url': pathlib.Path(page).resolve().as_uri()})

    def run(self, script, *arguments):
        return self.post('/execute/sync', {'script': script, 'args': list(arguments)})

    def keys(self, text):
        actions = [{'type': kind, 'value': key} for key in text for kind in ('keyDown', 'keyUp')]
        self.post('/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

    def click(self, selector):
        element = self.post('/element', {'using': 'css selector', 'value': selector})[ELEMENT]
        self.post('/element/%s/click' % element, {})

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.request('GET', '/screenshot')))


def line(name, number):
    """The selector of a line of a file."""
    return 'section[data-file$="%s"] [data-n="%d"]' % (name, number)


class Checks:
    def __init__(self, browser):
        self.browser = browser

    def same(self, name, got, wanted):
        print('ok ' + name if got == wanted else 'not ok %s: %r, not %r' % (name, got, wanted))

    def where(self, selector):
        """FILE:LINE of a line that there is one of, '' if there is none."""
        return self.browser.run('''
            const row = document.querySelector(arguments[0]);
            return row ? row.closest("section").dataset.file + ":" + row.dataset.n : "";''', selector)

    def cursor(self):
        return self.where('[data-n]:focus')

    def selected(self):
        return self.where('.at')

    def listed(self, kind):
        """What the panel lists under "Depends on" or "Influences"."""
        return self.browser.run('''
            const title = document.querySelector("#panel h3." + arguments[0]);
            return [...(title ? title.nextElementSibling.querySelectorAll("a") : [])]
                .map((link) => link.title + " " + link.querySelector("i").textContent);''', kind)

    def outlined(self, kind):
        return self.browser.run('''
            return [...document.querySelectorAll("#sources ." + arguments[0])]
                .map((row) => row.closest("section").dataset.file + ":" + row.dataset.n);''', kind)


def use(checks, browser):
    same = checks.same
    same('begins at the criterion', checks.selected(), 'main.c:9')
    same('what it depends on', checks.listed('on'), ['main.c:5 control', 'main.c:7 data', 'main.c:8 data'])
    same('those are outlined', checks.outlined('on'), ['main.c:5', 'main.c:7', 'main.c:8'])
    same('nothing depends on it', checks.listed('by'), [])

    browser.keys('k')
    same('k: the line before', checks.cursor(), 'main.c:8')
    same('k selects nothing', checks.selected(), 'main.c:9')
    browser.keys(ENTER)
    same('Enter selects', checks.selected(), 'main.c:8')
    same('Enter: the panel is about it', checks.listed('by'), ['main.c:9 data', 'part.c:2 data, call', 'part.c:3 call'])
    browser.keys(UP + UP)
    same('arrow up', checks.cursor(), 'main.c:5')
    browser.keys(DOWN)
    same('arrow down', checks.cursor(), 'main.c:7')
    browser.keys('J')
    same('J: the next file', checks.cursor(), 'part.c:2')
    browser.keys('p')
    same('p: the file before', checks.cursor(), 'main.c:5')
    browser.keys('n' + ENTER)
    same('n, Enter', checks.selected(), 'part.c:2')
    browser.keys('b')
    same('b: back', checks.selected(), 'main.c:8')
    browser.keys('b')
    same('b: further back', checks.selected(), 'main.c:9')
    browser.keys('l')
    same('l: into the panel', browser.run('return document.activeElement.title'), 'main.c:5')
    browser.keys('j' + ENTER)
    same('Enter follows a link', checks.selected(), 'main.c:7')
    browser.keys('c')
    same('c: where the slice begins', checks.cursor(), 'main.c:9')

    browser.click(line('part.c', 2))
    same('a click selects', checks.selected(), 'part.c:2')
    browser.click('#panel h3.by + div a')
    same('a click on a link', checks.selected(), 'part.c:3')
    same('the address names the line', browser.run('return location.hash'),
         '#' + browser.run('return document.querySelector(".at").id'))
    browser.click(line('main.c', 10))
    same('a line that is not in the slice', browser.run(
        'return document.querySelector("#panel > p").textContent'), 'This line is not in the slice.')

    height = 'return document.querySelector("section").offsetHeight'
    whole = browser.run(height)
    browser.keys('f')
    same('f folds', browser.run(height) < whole, True)
    same('folded: the slice is there', browser.run(
        'return [...document.querySelectorAll(".in")].every((row) => row.offsetHeight > 0)'), True)
    browser.keys('f')
    same('f unfolds', browser.run(height), whole)

    browser.keys('/')
    same('/: the search box', browser.run('return document.activeElement.id'), 'search')
    browser.keys('RETURN')
    same('search: what is found', browser.run(
        'return [...document.querySelectorAll("#panel a")].map((link) => link.title)'), ['part.c:3'])
    browser.keys(ENTER)
    same('search: Enter goes there', checks.cursor(), 'part.c:3')
    browser.keys(ESCAPE)
    same('search: Escape ends it', browser.run('return document.querySelector("#search").value'), '')
    browser.keys('?')
    same('?: the keys', browser.run('return document.querySelector("#keys").open'), True)
    browser.keys(ESCAPE)
    same('Escape closes them', browser.run('return document.querySelector("#keys").open'), False)
    same('no errors', browser.post('/se/log', {'type': 'browser'}), [])


def use_hostile(checks, browser):
    checks.same('text is text', browser.run('return document.querySelectorAll("#sources img, #sources script").length'), 0)
    browser.click('.in')
    browser.keys('//<' + ENTER)
    checks.same('text is text beside it', browser.run('return document.querySelectorAll("#panel img, #panel script").length'), 0)
    checks.same('nothing was injected', browser.run('return String(window.injected)'), 'undefined')
    checks.same('no errors with hostile text', browser.post('/se/log', {'type': 'browser'}), [])


def use_empty(checks, browser):
    browser.keys('jkJKnpbcflh' + ENTER + ESCAPE + '/x' + ENTER + ESCAPE)
    checks.same('an empty slice', browser.run('return document.querySelector("#panel").textContent'),
                'The slice is empty.')
    checks.same('no errors in an empty slice', browser.post('/se/log', {'type': 'browser'}), [])


def look(browser, folder):
    for name, size in ('wide', (1300, 800)), ('narrow', (420, 800)):
        browser.post('/window/rect', {'width': size[0], 'height': size[1]})
        browser.post('/refresh', {})
        browser.screenshot('%s/%s.png' % (folder, name))
        browser.keys('fk' + ENTER)
        browser.screenshot('%s/%s-folded.png' % (folder, name))
        browser.keys('?')
        browser.screenshot('%s/%s-keys.png' % (folder, name))


def main(*arguments):
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(home)
        checks = Checks(browser)
        try:
            if arguments[0] == '--look':
                browser.open(arguments[1])
                look(browser, arguments[2])
            else:
                browser.open(arguments[0])
                use(checks, browser)
                browser.open(arguments[1])
                use_hostile(checks, browser)
                browser.open(arguments[2])
                use_empty(checks, browser)
        finally:
            browser.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
