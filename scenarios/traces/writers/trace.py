"""Writes a trace: one line of JSON for each event. Run: python3 trace.py > shop.trace.jsonl"""
import json
import sys
import time


class Trace:
    def __init__(self, file, by):
        self.file = file
        self.started = time.monotonic_ns()
        self.write({"trace": 1, "by": by})

    def emit(self, source, value):
        elapsed = (time.monotonic_ns() - self.started) // 1000
        self.write({"us": elapsed, "source": source, "value": value})

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()


trace = Trace(sys.stdout, "shop 4.2")
trace.emit("cart.total", 20)
trace.emit("cart.total", 45)
trace.emit("checkout.state", "paying")
trace.emit("payments", {"amount": 45, "key": "k-81"})
trace.emit("checkout.state", "failed")
trace.emit("checkout.state", "paying")
trace.emit("payments", {"amount": 45, "key": "k-81"})
trace.emit("checkout.state", "paid")
trace.emit("cart.total", 0)
