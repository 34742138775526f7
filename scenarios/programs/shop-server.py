"""A shop that asks another server for prices, and calls back when an order is paid."""
import itertools
import json
import os
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

numbers = itertools.count(731)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, {"up": True})

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with urllib.request.urlopen(os.environ["PRICES_URL"] + "/prices/" + order["item"]) as answer:
            price = json.load(answer)["price"]
        number = next(numbers)
        self.answer(201, {"id": number, "total": price * order["count"]}, f"/orders/{number}")
        call = urllib.request.Request(
            order["callback"], json.dumps({"paid": number}).encode(),
            {"Content-Type": "application/json"}, method="POST")
        urllib.request.urlopen(call).close()

    def answer(self, status, value, location=None):
        body = json.dumps(value).encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
