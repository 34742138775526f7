"""Looks at the HTML report as a reader does: opens, filters, steps and follows a cause in Chromium.

    drive-page.py PAGE [axe.min.js]   drives the page; with axe, scans it for people with disabilities
    drive-page.py --data PAGE         prints all data of the page, expanded
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


if sys.argv[1] == "--data":
    for name, text in data(sys.argv[2]):
        print(name, text)
else:
    drive(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
