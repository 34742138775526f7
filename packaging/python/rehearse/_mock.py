"""A scenario that is served, and the messages by which a test talks to it."""

import json
import os
import re
import select
import subprocess
import sys
import threading
import time

from ._program import start, surroundings


class MockFailed(AssertionError):
    """The scenario of a mock did not hold. The text is what the terminal shows."""


class Refused(RuntimeError):
    """A command that the mock did not carry out. The text says why."""


class Endpoint:
    """Where clients reach an endpoint."""

    def __init__(self, mock, name, place):
        self._mock = mock
        self.name = name
        self.url = place["url"]
        self.port = place["port"]
        self.web_socket = place.get("webSocket")
        self.streams = place.get("streams", [])

    def send(self, value=None, **options):
        """Sends something on the open connections; see Mock.send."""
        self._mock.send(self.name, value, **options)

    def __repr__(self):
        return f"<endpoint {self.name} at {self.url}>"


def serve(path, *, variables=None, disturb=(), options=(), within=None, cwd=None):
    """Serves a scenario until the end of a `with`, which judges it.

    path: the file, with `:LINE` or `::TITLE` if it has several scenarios.
    variables: values for its `vars`.
    disturb: what goes wrong from the start, as `rehearse sweep` names it.
    options: more options of `rehearse serve`.
    within: how long steps may wait for events at the end, such as "3s"; the default is 1s.
    """
    __tracebackhide__ = True
    words = ["serve", "--json", selector(path, cwd or os.getcwd())]
    for name, value in (variables or {}).items():
        words.append(f"--var={name}={value if isinstance(value, str) else json.dumps(value)}")
    for name in [disturb] if isinstance(disturb, str) else disturb:
        words += ["--disturb", name]
    return Mock([*words, *options], cwd=cwd, within=within)


def parts(path):
    """The file of `FILE`, `FILE:LINE` or `FILE::TITLE`, and what is behind it."""
    return re.fullmatch(r"(.*?)(::.*|:\d+|)", os.fspath(path), re.DOTALL).groups()


def selector(path, folder):
    """The path as seen from a folder, with what names a scenario in the file."""
    file, place = parts(path)
    near = os.path.relpath(os.path.join(folder, file), folder)
    return (os.path.join(folder, file) if near.startswith("..") else near) + place


def found(path, *folders):
    """The path in the first folder that has the file."""
    file, place = parts(path)
    there = (os.path.join(folder, file) for folder in folders)
    return next(filter(os.path.exists, there), os.path.join(folders[0], file)) + place


class Mock:
    """A scenario that is served. Its endpoints are attributes, and items: `mock.feed.url`."""

    #: The most seconds until clients can connect, and until a command is answered or the program
    #: has ended.
    _started, _answered, _ended = 60.0, 10.0, 60.0

    def __init__(self, words, *, cwd=None, within=None):
        __tracebackhide__ = True
        self.endpoints = {}
        self.verdict = None
        self._within = within
        self._events = []
        self._answers = {}
        self._number = 0
        self._rest = b""
        self._is_ready = False
        self._is_over = False
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._process = start(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
            env=surroundings())
        self._output = self._process.stdout.fileno()
        self._complaints = []
        self._threads = [
            threading.Thread(target=self._read_complaints, daemon=True),
            threading.Thread(target=self._listen, daemon=True),
        ]
        try:
            for thread in self._threads:
                thread.start()
            self._await(lambda: self._is_ready or self.verdict, self._started)
            if not self._is_ready:
                self._end()
                raise MockFailed(self._text())
        except BaseException:
            self.kill()
            raise

    # The program writes at once, so that a full pipe would stop it: a thread reads all the time.
    # Whoever asks for events reads what is there himself, so that he misses nothing.
    def _listen(self):
        while not self._is_over:
            self._is_readable(None)
            with self._lock:
                self._read_available()

    def _is_readable(self, milliseconds):
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        return bool(poll.poll(milliseconds))

    def _read_available(self):
        while not self._is_over and self._is_readable(0):
            chunk = os.read(self._output, 1 << 16)
            self._is_over = not chunk
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                self._receive(json.loads(line))
        self._news.notify_all()

    def _receive(self, message):
        kind = message.get("type")
        # That a machine is slow is nothing that has happened between client and mock.
        if kind == "event" and message["kind"] != "log":
            self._events.append(message)
        elif kind == "ready":
            self.endpoints = {
                name: Endpoint(self, name, place) for name, place in message["endpoints"].items()
            }
            self._is_ready = True
        elif kind == "answer":
            self._answers[message.get("to")] = message.get("failure")
        elif kind == "verdict":
            self.verdict = message

    def _read_complaints(self):
        for line in self._process.stderr:
            self._complaints.append(line.decode(errors="replace"))

    def _await(self, condition, seconds):
        with self._news:
            self._news.wait_for(lambda: condition() or self._is_over, seconds)
            return condition()

    def __getattr__(self, name):
        endpoints = self.__dict__.get("endpoints", {})
        if name in endpoints:
            return endpoints[name]
        known = ", ".join(endpoints) or "none"
        raise AttributeError(f"the mock has no endpoint `{name}`; its endpoints: {known}")

    def __getitem__(self, name):
        return self.endpoints[name]

    @property
    def events(self):
        """What has happened so far: lines of a trace, each with `kind`, `source` and `value`."""
        with self._lock:
            self._read_available()
            return list(self._events)

    def wait_for(self, condition, seconds=5.0):
        """Returns the first event that the condition holds for; waits until there is one."""
        def found():
            return next((event for event in self._events if condition(event)), None)

        event = self._await(found, seconds)
        if event is None:
            raise MockFailed(f"no such event came within {seconds:g}s")
        return event

    def send(self, endpoint, value=None, *, to=None, wait=1.0, **act):
        """Makes an endpoint act on its open connections, or on those that come within `wait`.

        value: an event of a stream, or a message of a WebSocket. In its place, one of `event`,
        `message`, `bytes`, `close`, `pings` and `act` says what to do. to: "last", or a number.
        """
        if endpoint not in self.endpoints if isinstance(endpoint, str) else True:
            endpoint, value = self._only_stream(endpoint, value)
        if not act:
            is_message = self.endpoints[endpoint].streams == ["websocket"]
            act = {"message" if is_message else "event": value}
        command = {"type": "send", "endpoint": endpoint, **act}
        if to is not None:
            command["to"] = to
        end = time.monotonic() + wait
        while True:
            try:
                return self._ask(command)
            except Refused as refusal:
                if "no such connection open" not in str(refusal) or time.monotonic() >= end:
                    raise
            time.sleep(0.01)

    def _only_stream(self, given, value):
        streams = [name for name, endpoint in self.endpoints.items() if endpoint.streams]
        if value is None and len(streams) == 1:
            return streams[0], given
        known = ", ".join(self.endpoints)
        raise Refused(f"there is no endpoint {given!r}; the endpoints are {known}")

    def disturb(self, name):
        """Lets something go wrong, as `rehearse sweep` names it."""
        self._ask({"type": "disturb", "name": name})

    def _ask(self, command):
        self._number += 1
        number = self._number
        if not self._tell({**command, "id": number}):
            raise Refused("the mock has ended:\n" + self._text())
        if not self._await(lambda: number in self._answers, self._answered):
            raise Refused("the mock has ended:\n" + self._text() if self._is_over else "no answer")
        failure = self._answers.pop(number)
        if failure:
            raise Refused(failure["text"])

    def _tell(self, command):
        try:
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()
            return True
        except (OSError, ValueError):
            return False

    def judge(self):
        """Ends serving, and raises MockFailed if the scenario did not hold."""
        __tracebackhide__ = True
        if not self._is_over:
            self._tell({"type": "stop", **({"within": self._within} if self._within else {})})
        self._end()
        if not self.verdict or self.verdict["outcome"] != "passed":
            raise MockFailed(self._text())

    def kill(self):
        """Ends serving at once, without a verdict."""
        if self._process.poll() is None:
            self._process.kill()
        self._end()

    def _end(self):
        try:
            self._process.stdin.close()
        except OSError:
            pass
        try:
            # Who says how long to wait at the end may choose more.
            self._process.wait(None if self._within else self._ended)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            if thread.ident:
                thread.join(self._answered)
        with self._lock:
            self._is_over = True
            self._process.stdout.close()
        self._process.stderr.close()

    def _text(self):
        if self.verdict:
            return self.verdict["text"].rstrip()
        return "".join(self._complaints).rstrip() or "the mock has ended without a verdict"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        __tracebackhide__ = True
        if self._process.stdout.closed:
            return
        # After Ctrl-C, nobody waits for a verdict.
        if kind is not None and issubclass(kind, (KeyboardInterrupt, SystemExit)):
            self.kill()
            return
        try:
            self.judge()
        except MockFailed as failure:
            if error is None:
                raise
            note(error, f"\nThe mock says:\n{failure}")


def note(error, text):
    """Adds a text to an exception that is under way."""
    if hasattr(error, "add_note"):
        error.add_note(text)
    else:
        print(text, file=sys.stderr)
