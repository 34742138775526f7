"""Files with scenarios, as items of pytest."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
import rehearse

TABLE = """\
scenario: Doubles
tags: [fast-ones]
cases:
  - { id: two, given: 2, wanted: 4 }
  - { id: three, given: 3, wanted: 7 }
steps:
  - check: given * 2 == wanted
---
scenario: Holds
tags: [slow, skip]
steps:
  - check: 1 == 1
---
scenario: Is left out
skip: later
steps:
  - check: 1 == 2
"""


@pytest.fixture
def table(folder):
    (folder.path / "table.scenario.yaml").write_text(TABLE)
    (folder.path / "feed.scenario.yaml").unlink()
    return folder


def running(folder):
    """The processes that work in a folder."""
    found, own = [], (str(os.getpid()), "self", "thread-self")
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name not in own and process.name.isdigit() and os.readlink(process / "cwd").startswith(str(folder)):
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            pass
    return found


def nothing_is_left(folder, seconds=5):
    end = time.monotonic() + seconds
    while running(folder) and time.monotonic() < end:
        time.sleep(0.02)
    assert running(folder) == []


def test_each_scenario_and_each_row_is_an_item(table, run):
    result = run("-v")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines_random([
        "table.scenario.yaml::Doubles?two? PASSED*",
        "table.scenario.yaml::Doubles?three? FAILED*",
        "table.scenario.yaml::Holds PASSED*",
        "table.scenario.yaml::Is left out SKIPPED (later)*",
    ])


def test_a_failure_is_shown_as_the_terminal_shows_it(table, run):
    shown = subprocess.run(
        [rehearse.program(), "run", "table.scenario.yaml"], cwd=table.path,
        capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if " | " in line or line.startswith(("error[", " -->", "  = "))]
    assert len(lines) > 4
    run().stdout.fnmatch_lines([line.replace("[", "?").replace("]", "?") for line in lines])


@pytest.mark.parametrize("options, outcomes", [
    (["-k", "Doubles"], dict(passed=1, failed=1, deselected=2)),
    (["-k", "two"], dict(passed=1, deselected=3)),
    (["-m", "slow"], dict(passed=1, deselected=3)),
    (["-m", "fast-ones"], dict(passed=1, failed=1, deselected=2)),
    (["-m", "fast_ones", "--strict-markers"], dict(passed=1, failed=1, deselected=2)),
    (["-x", "-k", "three or Holds"], dict(failed=1, deselected=2)),
    (["table.scenario.yaml::Holds"], dict(passed=1)),
    (["table.scenario.yaml::Doubles[three]"], dict(failed=1)),
])
def test_pytest_chooses_items(table, run, options, outcomes):
    run(*options).assert_outcomes(**outcomes)


def test_what_failed_last_runs_again(table, run):
    run()
    run("--lf").assert_outcomes(failed=1)
    (table.path / "table.scenario.yaml").write_text(TABLE.replace("7", "6"))
    run("--lf").assert_outcomes(passed=1)


def test_only_chosen_scenarios_run(table, run):
    program = table.path / "program"
    program.write_text(f'#!/bin/sh\necho "$@" >>calls\nexec {rehearse.program()} "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "REHEARSE_PROGRAM": str(program)}
    subprocess.run([sys.executable, "-m", "pytest", "-k", "two or Holds"], env=environment,
                   cwd=table.path, capture_output=True)
    listed, ran = (table.path / "calls").read_text().splitlines()
    assert listed == "list table.scenario.yaml --format ndjson"
    assert ran.startswith(
        "run table.scenario.yaml::Doubles::two table.scenario.yaml::Holds --format")


def test_workers_share_the_items(table, run):
    pytest.importorskip("xdist")
    run("-n", "2").assert_outcomes(passed=2, failed=1, skipped=1)


def test_a_broken_file_is_one_failing_item(table, run):
    (table.path / "broken.scenario.yaml").write_text("scenario: Broken\nstepz: []\n")
    (table.path / "no.scenario.yaml").write_text("scenario: [\n")
    result = run("-k", "not three")
    result.assert_outcomes(passed=2, failed=2, skipped=1, deselected=1)
    result.stdout.fnmatch_lines([
        "error?unknown-key?: `stepz`*", "*--> broken.scenario.yaml:2:1", "*help*steps*",
        "*--> no.scenario.yaml:*",
    ])


def test_titles_that_look_like_selectors_are_chosen_alone(folder, run):
    folder.makefile(".scenario.yaml", feed="""\
scenario: A::B
steps: [{ check: 1 == 1 }]
---
scenario: Same
steps: [{ check: 1 == 1 }]
---
scenario: Same
steps: [{ check: 1 == 2 }]
""")
    run("feed.scenario.yaml::A:B").assert_outcomes(passed=1)
    run("feed.scenario.yaml::Same #2").assert_outcomes(failed=1)


def test_a_scenario_without_a_result_fails(table, run):
    table.makeini("[pytest]\nrehearse_options = --tag slow")
    result = run()
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*rehearse_options` left this scenario out"])


@pytest.mark.parametrize("make, reason", [
    (lambda path: path.write_bytes(b"\xcf\xfa\xed\xfe" + bytes(64)), "*no program for this machine*"),
    (lambda path: path.write_text("#!/no/loader\n"), "*no glibc*"),
    (lambda path: path.unlink(), "*there is no such file*"),
    (lambda path: path.chmod(0o644), "*it may not be executed*"),
])
def test_a_program_that_does_not_start_says_why(table, run, monkeypatch, make, reason):
    program = table.path / "program"
    program.touch()
    program.chmod(0o755)
    make(program)
    monkeypatch.setenv("REHEARSE_PROGRAM", str(program))
    result = run(test_mock="def test_mock(rehearse):\n    rehearse.serve('table.scenario.yaml')\n")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines([reason] * 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_when_pytest_is_ended(folder, number):
    (folder.path / "long.scenario.yaml").write_text("""\
scenario: Long
programs:
  client: { run: [sleep, "60"] }
steps:
  - wait: 50s
""")
    folder.makepyfile(test_long="""
        import time

        def test_mock(rehearse):
            with rehearse.serve("feed.scenario.yaml"):
                open("is-served", "w").close()
                time.sleep(50)
    """)
    for file, sign in [("long.scenario.yaml", "sleep"), ("test_long.py", "serve")]:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", file], cwd=folder.path, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end and not any(sign in line for line in running(folder.path)):
            time.sleep(0.02)
        assert process.poll() is None
        process.send_signal(number)
        process.wait(20)
        nothing_is_left(folder.path)


def test_many_scenarios_take_little_time(folder, run):
    files = [folder.path / f"{part}" / f"{n}.scenario.yaml" for part in "abcd" for n in range(100)]
    for n, file in enumerate(files):
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"scenario: Number {n}\nsteps: [{{ check: {n} >= 0 }}]\n")
    start = time.monotonic()
    run("a", "b", "c", "d").assert_outcomes(passed=400)
    print(f"400 scenarios took {time.monotonic() - start:.2f}s")
