"""Clients with one classic fault each, and their right twins: `python3 clients.py CLIENT right|wrong`.

`rehearse sweep` finds the wrong ones. Each uses the standard library alone.
"""
import base64
import http.client
import json
import os
import socket
import sys
import threading
import time

IS_RIGHT = sys.argv[2] == "right"
ADDRESS = os.environ["SERVER_URL"].removeprefix("http://")
PAUSE = 0.05
LOST = (OSError, http.client.HTTPException)


def report(source, value):
    print(json.dumps({"source": source, "value": value}), flush=True)


def ask(method, path, body=None, headers=None):
    """Asks until an answer comes, each time on a connection of its own."""
    while True:
        try:
            return ask_once(method, path, body, headers)
        except LOST:
            time.sleep(PAUSE)


def ask_once(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(ADDRESS, timeout=5)
    try:
        text = None if body is None else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, text, {**kind, **(headers or {})})
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def events(path, last):
    """Yields None when the stream is open, then the id and the data of each event."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=5)
    try:
        connection.request("GET", path, headers={"Last-Event-ID": last} if last else {})
        answer = connection.getresponse()
        yield None
        fields = {}
        for line in answer:
            name, _, value = line.decode().strip().partition(": ")
            if name:
                fields[name] = value
            elif fields:
                yield fields.get("id"), json.loads(fields["data"])
                fields = {}
    finally:
        connection.close()


def resume():
    """Wrong: a new connection does not say where the last one was."""
    total, last = 0, ""
    while True:
        try:
            for event in events("/steps", last if IS_RIGHT else ""):
                if event:
                    last, data = event
                    total += data["steps"]
                    report("total", total)
                    report("seen", last)
        except LOST:
            pass
        time.sleep(PAUSE)


def buffer():
    """Wrong: what was received is lost when the line breaks."""
    total, last = 0, ""
    while True:
        if not IS_RIGHT:
            total = 0
        try:
            for event in events("/prices", last):
                if event:
                    last, data = event
                    total += data["price"]
                    report("total", total)
                    report("seen", last)
        except LOST:
            pass
        time.sleep(PAUSE)


def banner():
    """Wrong: the timer of a lost line goes on when the line is back."""
    timer, last = None, ""
    report("banner", "hidden")
    while True:
        try:
            for event in events("/news", last):
                if event is None:
                    if timer and IS_RIGHT:
                        timer.cancel()
                    report("banner", "hidden")
                else:
                    last = event[0]
                    report("seen", last)
        except LOST:
            pass
        timer = threading.Timer(0.4, lambda: report("banner", "shown"))
        timer.daemon = True
        timer.start()
        time.sleep(PAUSE)


def order():
    """Wrong: an order is sent again without a key, so that it may be placed twice."""
    headers = {"Idempotency-Key": "order-7"} if IS_RIGHT else {}
    report("order", ask("POST", "/orders", {"tea": 1}, headers)["id"])


def jobs():
    """Wrong: a job is remembered as done before it is."""
    last = 0
    while last < 2:
        job = int(ask("GET", f"/jobs?after={last}")["id"])
        try:
            if not IS_RIGHT:
                last = job
            ask_once("POST", f"/jobs/{job}/done", {})
            last = job
        except LOST:
            time.sleep(PAUSE)
    report("last", last)


def search():
    """Wrong: a late answer replaces that of a newer search."""
    asked = 0

    def find(word, number):
        found = ask("GET", f"/search?word={word}")["found"]
        if number == asked or not IS_RIGHT:
            report("result", found)

    for word in ["ca", "cat"]:
        asked += 1
        threading.Thread(target=find, args=(word, asked), daemon=True).start()
        time.sleep(0.1)
    time.sleep(60)


def read_exactly(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def open_socket(path):
    host, port = ADDRESS.split(":")
    line = socket.create_connection((host, int(port)), timeout=5)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {ADDRESS}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += read_exactly(line, 1)
    return line


def send(line, value):
    data = json.dumps(value).encode()
    mask = os.urandom(4)
    line.sendall(bytes([0x81, 0x80 | len(data)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))


def receive(line):
    kind, size = read_exactly(line, 2)
    data = read_exactly(line, size)
    if kind & 15 == 8:
        raise ConnectionError
    return json.loads(data)


def rooms():
    """Wrong: it subscribes on its first connection only."""
    last, is_member = 0, False
    while True:
        try:
            line = open_socket("/rooms")
            if IS_RIGHT or not is_member:
                send(line, {"join": "lobby", "after": last})
                is_member = True
            while True:
                last = receive(line)["number"]
                report("last", last)
        except LOST:
            time.sleep(PAUSE)


globals()[sys.argv[1]]()
