"""Runs a test once for each thing that can go wrong between its client and a mock."""

import asyncio
import functools
import inspect
import os
import signal
import tempfile
import threading
import warnings

from ._mock import MockFailed, found, serve


class SweepFailed(AssertionError):
    """A test did not hold in some courses."""


class TookTooLong(Exception):
    """A course in which the client waited for ever."""


def sweep(path, *, courses=None, limit=30.0, **options):
    """Runs a test first without a disturbance, and then once for each course.

    The test has a parameter `mock`. The courses are what can go wrong with what its client did in
    the first run; `courses` names them instead. A course may take `limit` seconds. A course that
    fails runs again: if it holds then, a warning says so, since in real time no run is exactly like
    another. More options are those of `rehearse.serve`.
    """

    def decorate(test):
        signature = inspect.signature(test)
        if "mock" not in signature.parameters:
            raise TypeError(f"`{test.__name__}` needs a parameter `mock`")
        folder = os.path.dirname(os.path.abspath(inspect.getfile(test)))

        @functools.wraps(test)
        def swept(*own, **fixtures):
            __tracebackhide__ = True
            file = found(path, folder, os.getcwd())

            def run(disturb=(), more=()):
                __tracebackhide__ = True
                with _limit(limit), serve(file, disturb=disturb, **_with(options, more)) as mock:
                    result = test(*own, mock=mock, **fixtures)
                    if inspect.iscoroutine(result):
                        asyncio.run(result)

            _run_all(run, courses)

        del swept.__wrapped__
        swept.__signature__ = signature.replace(
            parameters=[p for name, p in signature.parameters.items() if name != "mock"])
        return swept

    return decorate


def _with(options, more):
    return {**options, "options": [*options.get("options", ()), *more]}


class _limit:
    """Interrupts what takes longer, if nothing else uses the alarm of this process."""

    def __init__(self, seconds):
        self._seconds = seconds

    def _interrupt(self, *_):
        raise TookTooLong(f"the test was not done after {self._seconds:g}s")

    def __enter__(self):
        self._is_set = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL)
        if self._is_set:
            signal.signal(signal.SIGALRM, self._interrupt)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_):
        if self._is_set:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _run_all(run, courses):
    __tracebackhide__ = True
    if courses is None:
        courses = _found(run)
    else:
        run()
    failures = {}
    for course in courses:
        failure = _failure(run, course)
        if failure is None:
            continue
        again = failure if isinstance(failure, TookTooLong) else _failure(run, course)
        if again is None:
            warnings.warn(f"the course `{course}` held when it ran again", stacklevel=3)
        else:
            failures[course] = again
    if failures:
        raise SweepFailed(_text(failures, len(courses))) from next(iter(failures.values()))


def _found(run):
    """Runs without a disturbance, and returns the courses of what the client did."""
    __tracebackhide__ = True
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "courses.txt")
        run(more=["--courses", file])
        with open(file, encoding="utf-8") as lines:
            courses = [line.rstrip("\n") for line in lines]
    if not courses:
        raise MockFailed("no client came to the mock, so that nothing can go wrong")
    return courses


def _failure(run, course):
    try:
        run(disturb=[course])
    except (KeyboardInterrupt, SystemExit):
        raise
    # What `pytest.fail` raises is no Exception.
    except BaseException as error:
        return error
    return None


def _text(failures, count):
    parts = [f"{len(failures)} of {count} courses failed"]
    for course, error in failures.items():
        lines = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
        parts.append(f"{course}\n" + "\n".join("    " + line for line in lines.split("\n")))
    parts.append(f"To run one of them alone: courses={[next(iter(failures))]!r}")
    return "\n\n".join(parts)
