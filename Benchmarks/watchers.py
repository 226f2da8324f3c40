"""Watches a server's live stream over many connections, and tells what came. Run by `measure-ingest`, as a process."""
import argparse
import json
import selectors
import signal
import socket
import sys

REQUEST = b"GET /v1/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


def stop(*_):
    """Not by SIGINT: who was started in the background of a shell ignores it."""
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    selector = selectors.EpollSelector()
    for _ in range(options.count):
        client = socket.create_connection(("127.0.0.1", options.port))
        client.sendall(REQUEST)
        if not client.recv(65_536).startswith(b"HTTP/1.1 200"):
            sys.exit("a watcher was refused")
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ)
    print("watching", flush=True)
    buffer = bytearray(1 << 20)
    counted = {"bytes": 0, "events": 0, "closed": 0}
    try:
        while True:
            for key, _ in selector.select():
                size = key.fileobj.recv_into(buffer)
                if size == 0:
                    counted["closed"] += 1
                    selector.unregister(key.fileobj)
                counted["bytes"] += size
                counted["events"] += buffer.count(b"\nevent: ", 0, size)
    except KeyboardInterrupt:
        print(json.dumps(counted), flush=True)


main()
