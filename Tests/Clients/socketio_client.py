"""Connects to a server of Socket.IO in each way, and prints what comes."""

import sys
import threading
import time

import socketio

url = sys.argv[1]
complete = threading.Event()


def show(value):
    print("price", value, flush=True)
    if value == 43:
        complete.set()


def connected(transports, auth={"token": "t"}):
    client = socketio.Client(reconnection_delay=0.05, reconnection_delay_max=0.1)
    client.on("price", show)
    client.on("asked", lambda value: f"answer to {value}")
    client.on("connect", lambda: print("connected", flush=True))
    client.on("connect_error", lambda data: print("refused", data["message"], flush=True))
    client.on("disconnect", lambda reason: print("disconnected", reason, flush=True))
    client.on("ordered", lambda value: print("ordered", value, flush=True))
    try:
        client.connect(url, auth=auth, transports=transports, wait_timeout=3)
    except socketio.exceptions.ConnectionError:
        pass
    return client


def leave(client):
    client.disconnect()
    time.sleep(0.2)


client = connected(["websocket"])
complete.wait(5)
print(client.call("order", {"sku": 7}, timeout=3), flush=True)
print(client.call("order", {"sku": 8}, timeout=3), flush=True)
client.emit("hello")
time.sleep(0.2)
leave(client)
leave(connected(["websocket"], auth={"token": "wrong"}))
client = connected(["polling", "websocket"])
time.sleep(0.2)
print(client.transport(), client.call("order", {"sku": 9}, timeout=3), flush=True)
leave(client)
client = connected(["polling"])
time.sleep(0.2)
print(client.transport(), client.call("order", {"sku": 9}, timeout=3), flush=True)
client.emit("goodbye")
time.sleep(0.3)
leave(client)
