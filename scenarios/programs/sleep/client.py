"""A client that asks each ten seconds and tells how much time its clocks have seen."""
import os, time, urllib.request

began, day = time.monotonic(), time.time()
for turn in range(2):
    with urllib.request.urlopen(os.environ["API_URL"] + "/fact") as answer:
        answer.read()
    print(f"awake {round(time.monotonic() - began)} s, calendar {round(time.time() - day)} s", flush=True)
    time.sleep(10)
