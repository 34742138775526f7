"""A client of an event stream that connects again after each loss: the subject of python-client.scenario.yaml."""
import json
import os
import time
import urllib.request


def report(source, value):
    print(json.dumps({"source": source, "value": value}), flush=True)


last = ""
while True:
    try:
        headers = {"Last-Event-ID": last} if last else {}
        request = urllib.request.Request(os.environ["FEED_URL"] + "/prices", headers=headers)
        with urllib.request.urlopen(request) as stream:
            report("state", "connected")
            for line in stream:
                text = line.decode().strip()
                if text.startswith("id: "):
                    last = text[4:]
                if text.startswith("data: "):
                    report("price", json.loads(text[6:]))
    except OSError:
        pass
    report("state", "lost")
    time.sleep(0.1)
