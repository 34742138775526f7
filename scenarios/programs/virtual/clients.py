"""Clients that wait for minutes, each with a wrong twin: the subjects of the scenarios beside this file."""
import json
import os
import sys
import time
import urllib.request

URL = os.environ.get("API_URL", "")


def report(source, value):
    print(json.dumps({"source": source, "value": value}), flush=True)


def back_off(longest):
    """Follows a stream, and connects again after 1, 2, 4 … seconds."""
    pause = 1
    while True:
        try:
            with urllib.request.urlopen(URL + "/prices", timeout=600) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        report("price", json.loads(line[6:]))
                        pause = 1
        except OSError:
            pass
        report("state", {"again_in": pause})
        time.sleep(pause)
        pause = min(2 * pause, longest)


def heartbeats():
    """Sends a beat each five minutes for a day, and reports once an hour."""
    began = time.monotonic()
    for beat in range(1, 289):
        time.sleep(began + 300 * beat - time.monotonic())
        urllib.request.urlopen(URL + "/beat", data=b"").read()
        if beat % 12 == 0:
            print("hour", beat // 12, flush=True)


def ask(timeout):
    """Asks once, and gives up after a time-out."""
    try:
        print(urllib.request.urlopen(URL + "/slow", timeout=timeout).read().decode(), flush=True)
    except OSError as error:
        print("gave up:", error, flush=True)


def pieces():
    """Reports the lengths of the pieces in which an answer comes."""
    import socket
    host, port = URL.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)))
    line.sendall(b"GET /text HTTP/1.0\r\n\r\n")
    lengths = []
    while piece := line.recv(4096):
        lengths.append(len(piece))
    report("lengths", sorted(set(lengths)))


{
    "back-off": lambda: back_off(60),
    "back-off-without-end": lambda: back_off(1_000_000),
    "heartbeats": heartbeats,
    "ask": lambda: ask(20),
    "ask-for-ever": lambda: ask(None),
    "pieces": pieces,
}[sys.argv[1]]()
