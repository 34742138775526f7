"""Collects `*.scenario.yaml`, runs the chosen scenarios in one process, and serves mocks."""

import collections
import contextlib
import fnmatch
import json
import os
import subprocess
import tempfile

import pytest

from . import _mock
from ._program import ProgramMissing, start, surroundings

#: How the names of files with scenarios end.
_SUFFIXES = (".scenario.yaml", ".scenario.yml")

#: The most bytes of arguments that one call of the program gets.
_MOST_BYTES = 500_000

#: The marks that pytest itself obeys: a tag of this name is only a keyword, for `-k`.
_MARKS_OF_PYTEST = {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings"}


_LISTING, _TAGS, _RUN = pytest.StashKey(), pytest.StashKey(), pytest.StashKey()


def pytest_addoption(parser):
    parser.addini("rehearse_options", "more options of `rehearse run`", type="args", default=[])


def pytest_collect_file(parent, file_path):
    if file_path.name.endswith(_SUFFIXES):
        return ScenarioFile.from_parent(parent, path=file_path)


@pytest.fixture
def rehearse(request):
    """Serves scenarios: `with rehearse.serve("feed.scenario.yaml") as mock`."""
    with contextlib.ExitStack() as mocks:
        yield Server(request.path.parent, request.config.rootpath, mocks)


class Server:
    """Serves scenarios beside the test, or below the root of the tests."""

    def __init__(self, folder, root, mocks):
        self._folders = folder, root
        self._mocks = mocks

    def serve(self, path, **options):
        """Serves a scenario; see rehearse.serve. What no `with` has ended, the test's end judges."""
        __tracebackhide__ = True
        file = _mock.found(path, *self._folders, os.getcwd())
        mock = _mock.serve(_mock.selector(file, os.getcwd()), **options)
        return self._mocks.enter_context(mock)


def _listing(config):
    return config.stash.setdefault(_LISTING, Listing(config))


class Listing:
    """The scenarios of all files of the session, read with one call of the program."""

    def __init__(self, config):
        self._config = config
        self._root = str(config.rootpath)
        self._lines = collections.defaultdict(list)
        self._is_read = False

    def lines(self, selector):
        if not self._is_read:
            self._is_read = True
            for part in _parts(sorted({selector, *self._likely()})):
                self._read(part)
        if selector not in self._lines:
            self._read([selector])
        return self._lines.pop(selector)

    def _likely(self):
        """The files that pytest will find; one that it ignores is read without harm."""
        left_out = self._config.getini("norecursedirs")
        for argument in self._config.args:
            folder = os.path.abspath(argument)
            for here, folders, files in os.walk(folder):
                folders[:] = [
                    name for name in folders
                    if not any(fnmatch.fnmatch(name, pattern) for pattern in left_out)]
                for name in files:
                    if name.endswith(_SUFFIXES):
                        yield _mock.selector(os.path.join(here, name), self._root)

    def _read(self, selectors):
        process = start(
            ["list", *selectors, "--format", "ndjson"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self._root, env=surroundings())
        output, complaints = process.communicate()
        for line in output.splitlines():
            entry = json.loads(line)
            self._lines[entry.get("path")].append(entry)
        # Without a line, the reason is of none of the files, such as a wrong `rehearse.yaml`.
        for selector in selectors:
            if selector not in self._lines:
                self._lines[selector].append({"complaints": complaints.decode(errors="replace")})


def _parts(words):
    """Lists of words that are short enough for a call of the program."""
    part, size = [], 0
    for word in words:
        size += len(word.encode()) + 1
        if size > _MOST_BYTES and part:
            yield part
            part, size = [], len(word.encode()) + 1
        part.append(word)
    if part:
        yield part


class ScenarioFile(pytest.File):
    """A file with scenarios."""

    @property
    def selector(self):
        return _mock.selector(self.path, str(self.config.rootpath))

    def collect(self):
        try:
            lines = _listing(self.config).lines(self.selector)
        except ProgramMissing as missing:
            lines = [{"complaints": str(missing)}]
        entries = [line for line in lines if "id" in line]
        self.count = len(entries)
        names = collections.Counter()
        for entry in entries:
            name = entry["title"].replace("::", ":")
            if "row" in entry:
                name += f"[{entry['row']}]"
            names[name] += 1
            if names[name] > 1:
                name += f" #{names[name]}"
            # What is in brackets is a parameter, as pytest reads ids back.
            yield Scenario.from_parent(
                self, name=name, nodeid=f"{self.nodeid}::{name}", entry=entry)
        problems = [line for line in lines if "id" not in line]
        # The errors of a scenario are shown where it runs.
        if problems and not any("errors" in entry for entry in entries):
            yield BrokenFile.from_parent(self, name="cannot be read", problems=problems)


class ScenarioFailed(Exception):
    """The text of a failure, as the terminal shows it."""


class _Item(pytest.Item):
    def repr_failure(self, excinfo):
        if excinfo.errisinstance(ScenarioFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class BrokenFile(_Item):
    """A file that does not load."""

    def __init__(self, *, problems, **options):
        super().__init__(**options)
        self._problems = problems

    def runtest(self):
        texts = [part["text"] for line in self._problems for part in line.get("diagnostics", [])]
        texts += [line["complaints"] for line in self._problems if "complaints" in line]
        text = "\n\n".join(text.rstrip() for text in texts if text)
        raise ScenarioFailed(text or "the file has no scenario")

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}: {self.name}"


class Scenario(_Item):
    """A scenario, or a row of its table."""

    def __init__(self, *, entry, **options):
        super().__init__(**options)
        self.entry = entry
        for tag in entry.get("tags", []):
            self.extra_keyword_matches.add(tag)
            for name in {tag, tag.replace("-", "_")} - _MARKS_OF_PYTEST:
                self._mark(name)

    def _mark(self, name):
        known = self.config.stash.setdefault(_TAGS, set())
        if name not in known:
            known.add(name)
            self.config.addinivalue_line("markers", f"{name}: a tag of scenarios")
        # What `pytest.mark` refuses, such as a name that begins with `_`, stays a keyword.
        with contextlib.suppress(AttributeError):
            self.add_marker(name)

    @property
    def key(self):
        return self.entry["id"], self.entry["line"]

    @property
    def selector(self):
        """What selects it alone: a title may be that of others, or have `::` itself."""
        is_plain = "::" not in self.entry["title"] and self.name.rpartition(" #")[1] == ""
        return self.entry["id"] if is_plain else f"{self.entry['path']}:{self.entry['line']}"

    def runtest(self):
        result = _run(self.session).result(self)
        outcome = result["outcome"]
        texts = [part["text"] for part in result.get("warnings", [])]
        if texts:
            self.add_report_section("call", "warnings of rehearse", "\n\n".join(texts))
        if outcome == "skipped":
            pytest.skip(result.get("reason") or "the scenario says so")
        # A flaky scenario held in the end, as `rehearse_options` allowed with `--retries`.
        if outcome not in ("passed", "flaky"):
            raise ScenarioFailed("\n\n".join(part["text"] for part in result["failures"]))

    def reportinfo(self):
        return self.path, self.entry["line"] - 1, self.name


def _run(session):
    config = session.config
    if hasattr(config, "workerinput"):
        # Which scenarios this worker gets is not known before it gets them.
        return Run(config)
    if _RUN not in config.stash:
        config.stash[_RUN] = Run(
            config, [item for item in session.items if isinstance(item, Scenario)])
    return config.stash[_RUN]


class Run:
    """One process that runs the chosen scenarios, and writes a line as soon as one has ended."""

    def __init__(self, config, items=None):
        self._config = config
        self._items = items
        self._results = {}
        self._problems = collections.defaultdict(list)
        self._process = None
        self._calls = None
        config.add_cleanup(self.close)

    def result(self, item):
        if self._calls is None:
            self._calls = _parts(self._selectors([item] if self._items is None else self._items))
        while item.key not in self._results:
            if not self._read_line():
                raise ScenarioFailed(self._reason(item))
        result = self._results[item.key]
        if self._items is None:
            self.close()
        return result

    def _selectors(self, items):
        """The file in place of all its scenarios, if all of them are chosen."""
        chosen = collections.defaultdict(list)
        for item in items:
            chosen[item.parent].append(item)
        words = []
        for file, own in chosen.items():
            is_whole = file.count == len(own)
            words += [file.selector] if is_whole else [item.selector for item in own]
        return words

    def _read_line(self):
        """Reads a result; false if there is none left."""
        while True:
            if self._process is None:
                words = next(self._calls, None)
                if words is None:
                    return False
                self._start(words)
            line = self._process.stdout.readline()
            if line:
                break
            self._finish()
        event = json.loads(line)
        if event["event"] == "scenario":
            self._results[event["id"], event["line"]] = event
        elif event["event"] == "file":
            texts = [part["text"] for part in event["diagnostics"] if part["severity"] == "error"]
            self._problems[event["path"]] += texts
        elif event["event"] == "ended":
            self._problems[None].append("`rehearse_options` left this scenario out\n")
        return True

    def _start(self, words):
        options = [*self._config.getini("rehearse_options"), "--format", "ndjson"]
        self._complaints = tempfile.TemporaryFile()
        try:
            # The run ends with this process, however it ends.
            self._process = start(
                ["run", *words, *options], stdout=subprocess.PIPE, stderr=self._complaints,
                stdin=subprocess.DEVNULL, cwd=str(self._config.rootpath),
                env={**surroundings(), "REHEARSE_ENDS_WITH_PARENT": "1"})
        except ProgramMissing as missing:
            raise ScenarioFailed(str(missing)) from missing

    def _finish(self):
        self._process.wait()
        self._process.stdout.close()
        self._process = None
        self._complaints.seek(0)
        # After a complete report, these are its warnings.
        if not self._problems[None]:
            self._problems[None].append(self._complaints.read().decode(errors="replace"))
        self._complaints.close()

    def _reason(self, item):
        own = self._problems[item.entry["path"]] if "errors" in item.entry else []
        texts = own or self._problems[None]
        text = "\n\n".join(text.rstrip() for text in texts if text)
        return text or "the program has ended without a result of this scenario"

    def close(self):
        """Ends the process. A second signal ends it without its `finally`."""
        if self._process is None:
            return
        for seconds in (10, 1, None):
            if seconds:
                self._process.terminate()
            else:
                self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
                break
        self._finish()
