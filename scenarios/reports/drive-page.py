"""Looks at the HTML report as a reader does: opens, filters, steps and follows a cause in Chromium.

    drive-page.py PAGE [axe.min.js]   drives the page; with axe, scans it for people with disabilities
    drive-page.py --data PAGE         prints all data of the page, expanded
    drive-page.py --sweep PAGE [axe.min.js]   drives the page of a sweep
"""
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import base64
import zlib

LARGEST_PART = 300_000


def data(path):
    """Yields the id and the text of each compressed element."""
    page = open(path, encoding="utf-8").read()
    for found in re.finditer(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>', page):
        yield found[1], zlib.decompress(base64.b64decode(found[2]), -15).decode()


class Browser:
    """Chromium, spoken to over a pipe."""

    def __init__(self, width=1280, height=900):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.output = os.pipe()
        self.input, theirs_out = os.pipe()

        def connect():
            # Chromium reads from 3 and writes to 4, which the pipes themselves may be.
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 64) for end in (theirs_in, theirs_out)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}",
             "about:blank"],
            preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise EOFError("Chromium ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def js(self, code):
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, code):
        end = time.time() + 20
        while time.time() < end:
            if self.js(f"Boolean({code})"):
                return
            time.sleep(0.02)
        raise AssertionError(f"never became true: {code}")

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.documentElement && document.documentElement.dataset.ready === 'yes'")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def close(self):
        self.process.terminate()
        self.process.wait()


def check(holds, text):
    print(("ok   " if holds else "FAIL ") + text)
    if not holds:
        sys.exit(1)


def scan(browser, axe, name):
    if not axe:
        return
    browser.call("Page.setBypassCSP", enabled=True)
    browser.js(open(axe, encoding="utf-8").read() + ";0")
    levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = browser.js(
        f"axe.run(document, {{ runOnly: {json.dumps(levels)} }}).then((result) =>"
        " result.violations.map((one) => `${one.id}: ${one.nodes[0].target.join(' ')}`))")
    check(found == [], f"axe finds nothing in {name} {found}")


def overview(browser, axe):
    if browser.js("document.getElementById('group').value === 'change'"):
        check(browser.js("document.querySelector('.group h3').textContent") == "Failing as before",
              "a run is compared with the one before it")
        check(browser.js("document.querySelector('.history').getAttribute('aria-label')")
              == "last runs: failed, failed", "the verdicts of the last runs are shown")
        scan(browser, axe, "a comparison")
        choose(browser, "group", "none")
    count = "document.querySelectorAll('#rows > li').length"
    check(browser.js(count) > 1, "all scenarios are there")
    first = browser.js("document.querySelector('#rows > li').className")
    check("failed" in first, "failures come first")
    scan(browser, axe, "the overview")
    browser.js("document.querySelector('[data-outcome=failed]').click()")
    check(browser.js("[...document.querySelectorAll('#rows > li')]"
                     ".every((row) => row.className === 'row failed')"), "an outcome is filtered")
    browser.js("document.querySelector('[data-outcome=all]').click()")
    browser.js("(() => { const field = document.getElementById('search');"
               " field.value = 'no such scenario'; field.dispatchEvent(new Event('input')); })()")
    check(browser.js(count) == 0, "a search that finds nothing says so")
    check(browser.js("!document.getElementById('none').hidden"), "and how to go on")
    empty = browser.js("(() => { const { rows } = overview; overview.rows = []; drawRows();"
                       " const text = document.getElementById('none').textContent;"
                       " overview.rows = rows; return text; })()")
    check(empty == "No scenario ran.", "a page without scenarios says so")
    browser.js("(() => { const field = document.getElementById('search');"
               " field.value = ''; field.dispatchEvent(new Event('input')); })()")
    groups(browser, axe)


def choose(browser, name, value):
    browser.js(f"(() => {{ const list = document.getElementById('{name}'); list.value = '{value}';"
               " list.dispatchEvent(new Event('change')); })()")


def groups(browser, axe):
    first = browser.js("document.querySelector('.first').textContent")
    check("loaded" in first or "loading" in first, f"the list has what differs: {first}")
    heads = "[...document.querySelectorAll('.group h3')].map((one) => one.textContent)"
    for name, expected in [("cause", "without a failure"), ("tag", "graph")]:
        choose(browser, "group", name)
        check(expected in browser.js(heads), f"scenarios are grouped by {name}")
    choose(browser, "group", "file")
    check(len(browser.js(heads)) == 1, "scenarios of a file are one group")
    scan(browser, axe, "groups")
    choose(browser, "sort", "file")
    check("b=file" in browser.js("location.hash"), "the choices are in the address")
    choose(browser, "group", "none")
    choose(browser, "sort", "")
    steady = browser.js(
        "[['passed', 'failed'], ['failed', 'passed', 'failed'], ['passed', 'flaky'], []].map((ends) =>"
        " isUnsteady({ o: 'passed', h: ends.map((o) => ({ o })) }))")
    check(steady == [False, True, True, False], "what passes and fails in turn is flaky lately")
    runs = [("failed", "passed"), ("passed", "failed"), ("failed", "failed"), ("passed", "passed")]
    changes = browser.js(f"{json.dumps(runs)}.map(([o, b]) =>"
                         " changeOf({ o, l: 1, m: 'x', b: { o: b, m: 'y' } }))")
    check(changes == ["Newly failing", "Newly passing", "Failing in another way", "As before"],
          "what has changed is named")
    causes = browser.js(
        "causesOf([{ i: 'a', q: 'f:1:1', m: '1' }, { i: 'a', q: 'f:1:1', m: '2' },"
        " { i: 'b', q: 'f:2:1', m: 'x', f: [['a', '1']] },"
        " { i: 'b', q: 'f:3:1', m: 'x', f: [['a', '1']] }, { i: 'a', q: 'f:9:1', m: '1' }]"
        ".map((row, index) => ({ ...row, index }))).map((rows) => rows.length)")
    check(causes == [2, 2, 1], "failures at one place, or with the same values, have one cause")


def issue(browser):
    text = browser.js("issueText(openView.row, openView.detail.pages[0],"
                      " openView.detail.failures[0].notes.filter((one) => one.name === 'rerun'))")
    check(text.startswith("### A counter") and "```text\nerror[" in text
          and "rehearse run" in text and "page.scenario.yaml:1" in text, "an issue has what it needs")
    asked = ("[{ n: 1, kind: 'step', at: 'f:1:1', value: { verb: 'request' } },"
             " { n: 2, kind: 'request', source: 'a', cause: 1, from: 'client', value: {} },"
             " { n: 3, kind: 'response', source: 'a', cause: 2, from: 'server',"
             " value: { status: 412 } },"
             " { n: 4, kind: 'read', at: 'f:1:1', cause: 2,"
             " value: { verb: 'request', as: 'exchanged', exchange: { hops: [] } } },"
             " { n: 5, kind: 'assertion', at: 'f:1:1', value: { verb: 'request', held: HELD } }]")
    looks = [browser.js(f"(() => {{ const one = new Timeline({{}}, {asked.replace('HELD', held)});"
                        " return one.lookOf(one.exchanges[0]); })()") for held in ("true", "false")]
    check(looks == ["good", "bad"], "an answer that was wanted is not red")
    check(browser.js("duration(3610e6)") == "1h10s", "durations are those of the terminal")
    check(browser.js("[...document.querySelectorAll('button')].some((one) =>"
                     " one.textContent === 'Copy for an issue')"), "a button copies it")
    check(browser.js("openView.timeline.steps.some((one) => one.text.includes('loaded: other'))"),
          "a step has all its lines")


def phone(url, axe):
    """On a narrow screen, the page is as wide as the screen, and what was compared is in view."""
    browser = Browser(400)
    browser.open(url)
    for _ in range(2):
        check(browser.js("document.documentElement.scrollWidth <= innerWidth"), "the page fits")
        scan(browser, axe, "a narrow page")
        browser.js("document.querySelector('.row.failed a')?.click()")
        browser.wait("document.querySelector('.page .removed') || true")
    browser.wait("document.querySelector('.page .removed')")
    check(browser.js("[...document.querySelectorAll('.page .removed, .page .added')].every((one) =>"
                     " one.getBoundingClientRect().left < 60"
                     " && one.getBoundingClientRect().right <= innerWidth)"),
          "actual and expected are in view")
    browser.close()


def timeline(browser, axe):
    browser.js("document.querySelector('.row.failed a').click()")
    browser.wait("document.querySelector('.event h3')")
    check(browser.js("document.querySelector('.page .removed') !== null"), "a failure is in colour")
    check(browser.js("openView.picture.canvas.width > 0"), "the timeline is drawn")
    browser.js("document.querySelector('.canvas').focus()")
    browser.press("End")
    last = browser.js("openView.selected.place")
    browser.press("ArrowLeft")
    check(browser.js("openView.selected.place") == last - 1, "the keyboard steps")
    check("e=" in browser.js("location.hash"), "the event is in the address")
    browser.js("openView.select(openView.timeline.shown.find((one) =>"
               " openView.timeline.cause(one)))")
    cause = browser.js("openView.timeline.cause(openView.selected).n")
    browser.js("document.getElementById('cause').click()")
    check(browser.js("openView.selected.n") == cause, "a cause is followed")
    browser.js("(() => { const one = document.getElementById('slider'); one.value = 0;"
               " one.dispatchEvent(new Event('input')); })()")
    check(browser.js("openView.selected.place") == 0, "the slider chooses an event")
    browser.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.wait("document.querySelector('table.events tbody tr')")
    check(browser.js("document.querySelectorAll('table.events tbody tr').length") > 1,
          "the table has the events")
    check(browser.js("document.querySelector('.marked') !== null"), "the step is marked")
    issue(browser)
    scan(browser, axe, "a scenario")
    return browser.js(f"(openView.select(openView.timeline.byNumber.get({cause})), location.href)")


def drive(path, axe):
    sizes = {name: len(text.encode()) for name, text in data(path)}
    check(max(sizes.values()) <= LARGEST_PART, "no part is large")
    browser = Browser()
    url = "file://" + os.path.abspath(path)
    browser.open(url)
    overview(browser, axe)
    link = timeline(browser, axe)
    chosen = browser.js("openView.selected.n")
    browser.js("document.querySelector('.back a').click()")
    browser.wait("document.getElementById('rows')")
    check(browser.js("document.activeElement.closest('.row') !== null"), "the way back is kept")
    browser.open(link)
    browser.wait("openView && openView.selected")
    check(browser.js("openView.selected.n") == chosen, "a link opens its event")
    check(browser.js("window.hacked") is None, "no text of a run is run")
    wrong = [one for one in browser.events
             if one.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
    check(wrong == [], f"nothing went wrong {json.dumps(wrong)[:500] if wrong else ''}")
    asked = [one["params"]["request"]["url"] for one in browser.events
             if one.get("method") == "Network.requestWillBeSent"]
    check(all(one.startswith(("file:", "about:", "data:")) for one in asked),
          "nothing is loaded from elsewhere")
    browser.close()
    phone(url, axe)


def sweep(path, axe):
    """Chooses a place and a course of a sweep; at both widths nothing is wider than the page."""
    for width in (1280, 400):
        browser = Browser(width)
        browser.open("file://" + os.path.abspath(path))
        browser.js("document.querySelector('.row a').click()")
        browser.wait("document.querySelector('.event h3') && openView.sweep")
        check(browser.js("openView.sweep.courses.every((one) => one.place)"),
              "each course has its place in the run without a disturbance")
        looks = browser.js("openView.sweep.heat.map((one) => one.look)")
        check("bad" in looks and "good" in looks, f"places are marked by their courses: {looks}")
        browser.js("[...document.querySelectorAll('button.exchange')].find((one) =>"
                   " one.textContent.startsWith('Failed')).click()")
        browser.wait("document.querySelector('.course canvas') &&"
                     " document.querySelector('.course .event h3')")
        check(browser.js("document.querySelector('.course .message') !== null"),
              "a course says what is wrong with it")
        check(browser.js("document.documentElement.scrollWidth <= innerWidth"), "the page fits")
        browser.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        scan(browser, axe, "a sweep")
        wrong = [one for one in browser.events
                 if one.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
        check(wrong == [], f"nothing went wrong {json.dumps(wrong)[:500] if wrong else ''}")
        browser.close()


if sys.argv[1] == "--sweep":
    sweep(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
elif sys.argv[1] == "--data":
    for name, text in data(sys.argv[2]):
        print(name, text)
else:
    drive(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
