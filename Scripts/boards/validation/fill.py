"""Posts the recorded calls to a running server, which ships them to ClickHouse."""
import asyncio
import json
import pathlib
import socket
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "load"))
from calls import SAMPLES, Recording  # noqa: E402
from connection import Connection  # noqa: E402

# A call that is erased when it has been shipped.
ERASED = "erased"


def recorded_calls():
    """Both ends of every recorded call."""
    for folder in sorted(SAMPLES.glob("[0-9]*")):
        for end in "AB":
            files = [folder / f"{end}.{kind}.jsonl" for kind in ("callAdditionalInfo", "getRTPStatistics-10s")]
            if any(file.exists() and file.stat().st_size > 0 for file in files):
                recording = Recording(folder, end)
                recording.folder_name = folder.name
                yield recording


# What looks like the end of a text, of an object and of an array, and the beginning of others.
MISLEADING = json.dumps('\\"}]},{["kind":"video","packets":1,{"').encode()[1:-1]


def relayed_call():
    """One that went over a relay, of which there is no recording, and whose client had odd words for its codec."""
    recording = Recording(SAMPLES / "01-clean", "A")
    changes = [(b'"candidateType":"host"', b'"candidateType":"relay"'), (b'"minptime=', b'"' + MISLEADING + b"minptime=")]
    for old, new in changes:
        recording.reports = [(line.replace(old, new), members) for line, members in recording.reports]
    return recording


def session_call():
    """One whose statistics come under the id of a session that it names in its first event: one call, under its own id."""
    recording = Recording(SAMPLES / "01-clean", "A")
    reports = [message for message in recording.messages("session", recording.start) if message.kind == "report"]
    events = [message for message in recording.messages("in-session", recording.start) if message.kind == "event"]
    events[0].body = events[0].body.replace(b"{", b'{"sessionId":"session",', 1)
    return reports + events


def messages():
    """All that is posted."""
    for recording in recorded_calls():
        yield from recording.messages(recording.call.decode(), recording.start)
    for call in ["relayed", ERASED]:
        recording = relayed_call()
        yield from recording.messages(call, recording.start)
    yield from session_call()


def post(port):
    """Posts them as their clients did."""
    asyncio.run(posted(port))


async def posted(port):
    connection = Connection(port)
    for message in messages():
        answer = await connection.send("POST", message.path, message.body, message.headers)
        if answer.status != 202:
            raise RuntimeError(f"{message.path} was answered with {answer.status}: {answer.body[:200]}")
    # A report that cannot be read, and a page that is not there.
    await connection.send("POST", "/v1/calls/broken/stats", b"{", [("Content-Type", "application/json")])
    await connection.send("GET", "/nowhere")
    connection.close()


def ring(port, call):
    """Tells of a call that rings now."""
    now = int(time.time() * 1000)
    events = [{"action": "callMetric", "type": name, "callId": call, "time": now - before}
              for name, before in [("callCreate", 1000), ("callRinging", 500)]]
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/events?observer=caller", json.dumps(events).encode(), {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=10)


def erase(port, call=ERASED):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/calls/{call}", method="DELETE")
    urllib.request.urlopen(request, timeout=10)


def send_packets(port, number=200):
    """Something for a capture to see."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for index in range(number):
            sender.sendto(b"\x80\x00" + index.to_bytes(2, "big") + bytes(168), ("127.0.0.1", port))
