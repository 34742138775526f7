"""A receiver of webhooks that is busy at first: the subject of webhook.scenario.yaml."""
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

calls = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        calls.append(call)
        is_busy = len(calls) == 1
        print(json.dumps({"source": "state", "value": "busy" if is_busy else "taken"}), flush=True)
        body = json.dumps({"number": len(calls), "item": call["ordered"]}).encode()
        self.send_response(503 if is_busy else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
