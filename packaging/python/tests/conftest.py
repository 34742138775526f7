"""Folders with scenarios, in which pytest runs."""

import pytest

pytest_plugins = "pytester"

FEED = """\
scenario: Prices
endpoints:
  feed:
    resumable: true
    sse:
      - accept: { path: /prices }
        script:
          - event: { id: "1", data: { price: 41 } }
          - event: { id: "2", data: { price: 42 } }
          - wait: forever
sweep: { disturb: { feed: [cut, lostRequest, lostAnswer, refuse] } }
"""

#: A client that returns after a loss, and says where it was.
CLIENT = """\
import http.client
import json
import urllib.parse


def read_prices(url, count=2):
    address = urllib.parse.urlparse(url).netloc
    last, prices = None, []
    while len(prices) < count:
        try:
            connection = http.client.HTTPConnection(address, timeout=5)
            connection.request("GET", "/prices", headers={"Last-Event-ID": last} if last else {})
            answer = connection.getresponse()
            name = price = None
            while len(prices) < count:
                line = answer.readline().decode()
                if not line:
                    break
                if line.startswith("id:"):
                    name = line[3:].strip()
                elif line.startswith("data:"):
                    price = json.loads(line[5:])["price"]
                elif not line.strip() and price is not None:
                    prices.append(price)
                    last, price = name, None
        except (OSError, http.client.HTTPException):
            pass
    return prices
"""


@pytest.fixture
def folder(pytester, monkeypatch):
    """A folder in which `run` starts pytest as people do."""
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)
    pytester.makefile(".scenario.yaml", feed=FEED)
    pytester.makepyfile(client=CLIENT)
    return pytester


@pytest.fixture
def run(folder):
    def run(*options, **files):
        for name, text in files.items():
            folder.makepyfile(**{name: text})
        return folder.runpytest(*options)

    return run
