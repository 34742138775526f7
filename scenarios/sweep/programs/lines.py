"""Clients that meet what lines and servers do, and their right twins: `python3 lines.py CLIENT TWIN`.

`rehearse sweep` finds the wrong ones. Each uses the standard library alone.
"""
import http.client
import json
import os
import socket
import sys
import time

TWIN = sys.argv[2]
IS_RIGHT = TWIN == "right"
ADDRESS = os.environ["SERVER_URL"].removeprefix("http://")
PAUSE = 0.05
LOST = (OSError, http.client.HTTPException, ValueError)


def report(source, value):
    print(json.dumps({"source": source, "value": value}), flush=True)


def ask(method, path, body=None, headers=None, timeout=3):
    connection = http.client.HTTPConnection(ADDRESS, timeout=timeout)
    text = None if body is None else json.dumps(body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, text, {**kind, **(headers or {})})
    return connection.getresponse()


def pieces_of(answer):
    while piece := answer.read1(65536):
        yield piece


def lines_of(answer):
    """Yields lines, whatever ends them and however their bytes are cut."""
    rest, ended_with_cr = b"", False
    for piece in pieces_of(answer):
        for byte in piece:
            if byte == 10 and ended_with_cr:
                ended_with_cr = False
                continue
            ended_with_cr = byte == 13
            if byte in (10, 13):
                yield rest.decode()
                rest = b""
            else:
                rest += bytes([byte])


def events_of(answer):
    """Yields the fields of each event, with its data."""
    if answer.status != 200:
        raise ConnectionError
    fields, data = {}, []
    for line in lines_of(answer):
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name:
            fields[name] = value.removeprefix(" ")
        elif not line:
            if data:
                yield fields | {"data": "\n".join(data)}
            fields, data = {}, []


def pieces():
    """Wrong: it decodes each piece alone, or knows lines that end with LF alone."""
    text = ""
    answer = ask("GET", "/words")
    if IS_RIGHT:
        for event in events_of(answer):
            text += json.loads(event["data"])["word"]
    elif TWIN == "letters":
        whole = "".join(piece.decode("utf-8", "replace") for piece in pieces_of(answer))
        for line in whole.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            if line.startswith("data:") and line.endswith("}"):
                text += json.loads(line[5:])["word"]
    elif TWIN == "ends":
        *events, _ = b"".join(pieces_of(answer)).decode().split("\n\n")
        for event in events:
            for line in event.split("\n"):
                if line.startswith("data:") and line.endswith("}"):
                    text += json.loads(line[5:])["word"]
    report("text", text)


def half():
    """Wrong: it takes what came before the end of the connection for the whole answer."""
    while True:
        try:
            host, port = ADDRESS.split(":")
            line = socket.create_connection((host, int(port)), timeout=3)
            line.sendall(f"GET /rows HTTP/1.1\r\nHost: {ADDRESS}\r\nConnection: close\r\n\r\n".encode())
            data = b""
            while piece := line.recv(65536):
                data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(body) < length and IS_RIGHT:
                raise ConnectionError
            report("size", len(body))
            return
        except (*LOST, IndexError):
            time.sleep(PAUSE)


def wait():
    """Wrong: it comes again sooner than it may."""
    while True:
        try:
            answer = ask("POST", "/chat", {"text": "hello"})
            body = answer.read()
            if answer.status == 200:
                report("reply", json.loads(body)["reply"])
                return
            time.sleep(float(answer.headers["Retry-After"] or PAUSE) if IS_RIGHT else PAUSE)
        except LOST:
            time.sleep(PAUSE)


def page():
    """Wrong: a page of a proxy in place of JSON ends it, though it should serve on."""
    while True:
        try:
            answer = ask("GET", "/health")
            report("health", json.loads(answer.read())["health"])
        except LOST:
            if not IS_RIGHT:
                raise
        time.sleep(PAUSE)


def silence():
    """Wrong: it does not notice that nothing comes any more."""
    total, last = 0, ""
    while True:
        try:
            headers = {"Last-Event-ID": last} if last else {}
            for event in events_of(ask("GET", "/steps", None, headers, 0.3 if IS_RIGHT else None)):
                last = event["id"]
                total += json.loads(event["data"])["steps"]
                report("total", total)
                report("seen", last)
        except LOST:
            pass
        time.sleep(PAUSE)


def slow():
    """Wrong: a pause is the end of an answer."""
    host, port = ADDRESS.split(":")
    line = socket.create_connection((host, int(port)), timeout=3 if IS_RIGHT else PAUSE)
    line.sendall(f"GET /rows HTTP/1.1\r\nHost: {ADDRESS}\r\nConnection: close\r\n\r\n".encode())
    data = b""
    try:
        while piece := line.recv(65536):
            data += piece
    except TimeoutError:
        pass
    report("size", len(data.partition(b"\r\n\r\n")[2]))


globals()[sys.argv[1]]()
