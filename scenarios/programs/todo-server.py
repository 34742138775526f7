"""A server that asks another one for what it serves: the subject of server.scenario.yaml."""
import json
import os
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/health":
            return self.answer({"up": True})
        with urllib.request.urlopen(os.environ["USERS_URL"] + "/users/1") as answer:
            user = json.load(answer)
        self.answer([{"title": "Write", "owner": user["name"]}])

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
