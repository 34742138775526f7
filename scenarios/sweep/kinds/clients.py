"""Clients of streams, each right or with one fault: `python3 clients.py CLIENT FAULT`.

The fault `none` is the right twin. `rehearse sweep` finds most others on the plain path on which
nothing goes wrong. Each uses the standard library alone.
"""
import gzip
import http.client
import json
import os
import re
import sys
import threading
import time

FAULT = sys.argv[2]
ADDRESS = os.environ["SERVER_URL"].removeprefix("http://")
LOST = (OSError, http.client.HTTPException, ValueError)
PAUSE = 0.1
TIMEOUT = {"lingers": None, "impatient": 0.05}.get(FAULT, 5)


def report(source, value):
    print(json.dumps({"source": source, "value": value}), flush=True)


def ask(method, path, body=None, headers=None):
    """Asks once. It raises if the server wants to be asked again, after the time that it says."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=TIMEOUT)
    text = None if body is None else json.dumps(body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, text, {**kind, **(headers or {})})
    answer = connection.getresponse()
    if answer.status in (429, 503):
        answer.read()
        if FAULT != "hurries":
            time.sleep(float(answer.headers["Retry-After"] or PAUSE))
        raise ConnectionError
    return answer


def whole(answer):
    """A client gives up when it is refused, and says so."""
    if answer.status != 200:
        sys.exit(f"refused with {answer.status}")
    return answer


def again(attempt):
    """Tries until it works; a client that fails each time gives up."""
    for turn in range(6):
        try:
            return attempt()
        except LOST:
            time.sleep(PAUSE * 2**turn)
    sys.exit("gave up")


def lines_of(answer):
    rest, ended_with_cr = b"", False
    while piece := answer.read1(65536):
        if FAULT == "letters":
            piece = piece.decode("utf-8", "replace").encode()
        for byte in piece:
            if byte == 10 and ended_with_cr and FAULT != "ends":
                ended_with_cr = False
                continue
            ended_with_cr = byte == 13
            if byte == 10 or ended_with_cr and FAULT != "ends":
                yield rest.decode()
                rest = b""
            else:
                rest += bytes([byte])
    if FAULT == "half":
        yield rest.decode()
        yield ""


def events_of(answer, note=lambda name, value: None):
    """Yields the data of each event. `note` gets its other fields first."""
    fields, data = {}, []
    for line in lines_of(whole(answer)):
        name, colon, value = line.partition(":")
        if FAULT == "blanks" and colon and not value.startswith(" "):
            continue
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name:
            fields[name] = value
            if FAULT == "early" and name == "id":
                note(name, value)
        elif line:
            if FAULT == "comments":
                sys.exit("what is this line?")
        else:
            if data or fields and FAULT == "no-data":
                for field in fields.items():
                    note(*field)
                yield "\n".join(data) if FAULT != "one-line" else (data or [""])[-1]
            fields, data = {}, []


def feed():
    """Follows a stream of words, wherever it breaks, until it is ended."""
    text, last, pause = [], [""], [PAUSE]

    def note(name, value):
        if name == "id":
            last[0] = value
        elif name == "retry" and FAULT != "hurries":
            pause[0] = int(value) / 1000

    def listen():
        headers = {"Last-Event-ID": last[0]} if last[0] and FAULT != "forgets" else {}
        for data in events_of(ask("GET", "/words", None, headers), note):
            text.append(json.loads(data)["word"])
            report("text", "".join(text))

    def follow():
        is_first = True
        while True:
            try:
                listen()
                if FAULT == "stays-away":
                    time.sleep(3600)
            except LOST:
                if FAULT == "first" and is_first:
                    sys.exit("no server")
                if FAULT == "twice" and threading.active_count() == 1:
                    threading.Timer(pause[0], follow).start()
            is_first = False
            time.sleep(pause[0])

    follow()


def chat():
    """Asks for an answer that comes in parts, whose last event is `[DONE]`."""
    text = []

    def attempt():
        if FAULT != "appends":
            text.clear()
        is_done = False
        for data in events_of(ask("POST", "/chat", {"stream": True})):
            if data == "[DONE]":
                is_done = True
                if FAULT != "lingers":
                    break
            else:
                text.append(json.loads(data)["t"])
        if FAULT == "hangs" and not is_done:
            time.sleep(3600)
        if not is_done and FAULT != "trusts":
            raise ConnectionError

    again(attempt)
    report("text", "".join(text))


def rows():
    """Reads rows of JSON, each of which is a line."""
    def attempt():
        total, rest = 0, b""
        answer = whole(ask("GET", "/rows"))
        try:
            while piece := answer.read1(65536):
                *lines, rest = (rest + piece).split(b"\n")
                if FAULT == "pieces":
                    lines, rest = piece.splitlines(), b""
                total += sum(json.loads(line)["n"] for line in lines)
        except TimeoutError:
            if FAULT != "impatient":
                raise
        return total

    report("total", again(attempt))


def compressed():
    """Asks for compressed bodies, and gets them or plain ones."""
    def body(path):
        answer = whole(ask("GET", path, None, {"Accept-Encoding": "gzip"}))
        content = answer.read()
        if answer.headers["Content-Encoding"] == "gzip" and FAULT != "plain":
            content = gzip.decompress(content)
        return content.decode()

    def attempt():
        lines = body("/words").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        data = "".join(line[5:] for line in lines if line.startswith("data:"))
        numbers = re.findall(r'"n":(\d+)', data)
        return json.loads(body("/total"))["total"] + sum(map(int, numbers))

    report("total", again(attempt))


globals()[sys.argv[1]]()
