"""Receives webhooks, asks the library of the service whether each is genuine, and prints what it takes."""

import base64
import hashlib
import hmac
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import stripe
from slack_sdk.signature import SignatureVerifier
from standardwebhooks.webhooks import Webhook

port, form, secret = sys.argv[1:]
busy = ["once"]
taken = set()


def digest(body):
    return hmac.new(secret.encode(), body, hashlib.sha256)


def read(body, headers):
    """Returns the id and the type of an event; an error is raised if it is not genuine."""
    if form == "standard":
        return headers["webhook-id"], Webhook(secret).verify(body, dict(headers))["type"]
    if form == "stripe":
        event = stripe.Webhook.construct_event(body, headers["Stripe-Signature"], secret)
        return event.id, event.type
    if form == "slack":
        names = {name.lower(): value for name, value in headers.items()}
        if not SignatureVerifier(secret).is_valid_request(body, names):
            raise ValueError("not valid")
        return "evt_3", "order.paid"
    if form == "github":
        if not hmac.compare_digest("sha256=" + digest(body).hexdigest(), headers["X-Hub-Signature-256"]):
            raise ValueError("not valid")
        return headers["X-GitHub-Delivery"], headers["X-GitHub-Event"]
    if not hmac.compare_digest(
            base64.b64encode(digest(body).digest()).decode(), headers["X-Shopify-Hmac-Sha256"]):
        raise ValueError("not valid")
    return headers["X-Shopify-Webhook-Id"], headers["X-Shopify-Topic"]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            id, type = read(body, self.headers)
        except Exception as error:
            return self.answer(400)
        if busy:
            busy.clear()
            return self.answer(503)
        print("again" if id in taken else "took", type, flush=True)
        taken.add(id)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *words):
        pass


HTTPServer(("127.0.0.1", int(port)), Receiver).serve_forever()
