import os, sys, time, urllib.error, urllib.request

URL = os.environ["API_URL"]


def get(path, seconds=None):
    try:
        with urllib.request.urlopen(URL + path, timeout=seconds) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


case = sys.argv[1]
if case == "sleep":
    time.sleep(10)
    get("/sleep")
elif case == "time-out":
    get("/silent", 20)
elif case == "back-off":
    pause = 1
    while get("/busy", 20) != 200:
        time.sleep(pause)
        pause *= 2
elif case == "cut":
    while get("/cut", 20) != 200:
        time.sleep(5)
else:
    get("/silent")
