"""Mocks in tests."""

import pytest

USE = "from client import read_prices\n\n"


def test_a_mock_is_served_and_judged(run):
    run("test_it.py", test_it=USE + """
def test_reconnects(rehearse):
    with rehearse.serve("feed.scenario.yaml") as mock:
        assert read_prices(mock.feed.url) == [41, 42]
        assert [e["value"]["path"] for e in mock.events if e["kind"] == "request"] == ["/prices"]
    assert mock.verdict["outcome"] == "passed"
    assert mock.events[0]["kind"] == "request"
""").assert_outcomes(passed=1)


def test_what_is_missing_at_the_end_fails_the_test(folder, run):
    folder.makefile(".scenario.yaml", feed="""\
scenario: Orders
endpoints:
  api:
    http: [{ post: /orders, respond: { status: 201 } }]
steps:
  - expect: { api: { post: /orders } }
""")
    result = run("test_it.py", test_it="""
import urllib.request

def order(url):
    urllib.request.urlopen(urllib.request.Request(url + "/orders", method="POST"))

def test_in_a_with(rehearse):
    with rehearse.serve("feed.scenario.yaml", within="50ms"):
        pass

def test_at_the_end(rehearse):
    rehearse.serve("feed.scenario.yaml", within="50ms")
    rehearse.serve("feed.scenario.yaml", within="50ms")

def test_that_fails_itself(rehearse):
    with rehearse.serve("feed.scenario.yaml", within="50ms"):
        assert 1 == 2

def test_that_holds(rehearse):
    with rehearse.serve("feed.scenario.yaml") as mock:
        order(mock.api.url)
""")
    result.assert_outcomes(passed=2, failed=2, errors=1)
    result.stdout.fnmatch_lines([
        "*test_at_the_end*", "*feed.scenario.yaml:6*", "*test_in_a_with*",
        "*feed.scenario.yaml:6*", "*test_that_fails_itself*", "*assert 1 == 2*", "*The mock says:*",
        "*feed.scenario.yaml:6*"])


def test_a_test_makes_its_mock_act(run):
    run("test_it.py", test_it=USE + """
import pytest
import rehearse as module

def test_sends(rehearse):
    with rehearse.serve("feed.scenario.yaml") as mock:
        import threading
        prices = []
        reader = threading.Thread(target=lambda: prices.extend(read_prices(mock.feed.url, 3)))
        reader.start()
        mock.wait_for(lambda e: e["kind"] == "event" and e["value"]["id"] == "2")
        mock.send({"id": "3", "data": {"price": 43}})
        reader.join()
        assert prices == [41, 42, 43]

def test_disturbs(rehearse):
    with rehearse.serve("feed.scenario.yaml") as mock:
        mock.disturb("cut after event 1 of feed, connection 1")
        assert read_prices(mock.feed.url) == [41, 42]
        assert [e["kind"] for e in mock.events].count("request") == 2

def test_refuses(rehearse):
    with rehearse.serve("feed.scenario.yaml") as mock:
        with pytest.raises(module.Refused, match="feed"):
            mock.send("fed", {"data": 1})
        with pytest.raises(module.Refused, match="cut after"):
            mock.disturb("cat after event 1 of feed, connection 1")
        with pytest.raises(AttributeError, match="its endpoints: feed"):
            mock.fed
""").assert_outcomes(passed=3)


def test_a_sweep_runs_a_test_for_each_course(run):
    result = run("test_it.py", "-rA", test_it=USE + """
import asyncio
import pytest
import rehearse

@pytest.fixture
def wanted():
    return [41, 42]

@rehearse.sweep("feed.scenario.yaml")
def test_returns(mock, wanted):
    assert read_prices(mock.feed.url) == wanted

class TestOfAClass:
    @pytest.mark.parametrize("count", [1, 2])
    @rehearse.sweep("feed.scenario.yaml", courses=["cut after event 1 of feed, connection 1"])
    def test_counts(self, mock, count):
        assert read_prices(mock.feed.url, count) == [41, 42][:count]

@rehearse.sweep("feed.scenario.yaml", courses=["refuse connection 1 of feed"])
async def test_async(mock):
    assert await asyncio.to_thread(read_prices, mock.feed.url) == [41, 42]

@rehearse.sweep("feed.scenario.yaml", courses=[
    "cut after event 1 of feed, connection 1", "lose answer 1 of feed, connection 1"])
def test_gives_up(mock, wanted):
    read_prices(mock.feed.url)
    if [e["kind"] for e in mock.events].count("request") > 1 and "cut" not in str(mock.events):
        pytest.fail("asked twice")

@rehearse.sweep("feed.scenario.yaml", limit=0.2, courses=["refuse connection 1 of feed"])
def test_hangs(mock):
    import time
    read_prices(mock.feed.url)
    time.sleep(5 if "refused" in str(mock.events) else 0)

@rehearse.sweep("feed.scenario.yaml")
def test_without_a_client(mock):
    pass
""")
    result.assert_outcomes(passed=4, failed=3)
    result.stdout.fnmatch_lines([
        "*2 of 2 courses failed*", "*cut after event 1 of feed, connection 1",
        "*Failed: asked twice", "*lose answer 1*", "*Failed: asked twice",
        "*TookTooLong: the test was not done after 0.2s*", "*no client came to the mock*"])


def test_a_scenario_that_is_not_served_shows_its_diagnostics(folder, run):
    folder.makefile(".scenario.yaml", feed="scenario: Broken\nendpoint: {}\n")
    result = run("test_it.py", test_it="""
def test_broken(rehearse):
    rehearse.serve("feed.scenario.yaml")

def test_missing(rehearse):
    rehearse.serve("food.scenario.yaml")
""")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*error?unknown-key?*", "*feed.scenario.yaml:2:1*",
                                 "*food.scenario.yaml*"])
