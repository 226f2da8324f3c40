"""Puts the recorded calls into the stores: through a running server, and from its database into ClickHouse."""
import asyncio
import json
import pathlib
import socket
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "load"))
from calls import SAMPLES, Recording  # noqa: E402
from connection import Connection  # noqa: E402


def recorded_calls():
    """Both ends of every recorded call."""
    for folder in sorted(SAMPLES.glob("[0-9]*")):
        for end in "AB":
            files = [folder / f"{end}.{kind}.jsonl" for kind in ("callAdditionalInfo", "getRTPStatistics-10s")]
            if any(file.exists() and file.stat().st_size > 0 for file in files):
                recording = Recording(folder, end)
                recording.folder_name = folder.name
                yield recording


def relayed_call():
    """One that went over a relay, of which there is no recording."""
    recording = Recording(SAMPLES / "01-clean", "A")
    recording.reports = [(line.replace(b'"candidateType":"host"', b'"candidateType":"relay"'), members)
                         for line, members in recording.reports]
    return recording


def post(port):
    """Posts them as their clients did. Returns the number of messages."""
    return asyncio.run(posted(port))


async def posted(port):
    connection, number = Connection(port), 0
    for recording, call in [*((recording, recording.call.decode()) for recording in recorded_calls()),
                            (relayed_call(), "relayed")]:
        for message in recording.messages(call, recording.start):
            answer = await connection.send("POST", message.path, message.body, message.headers)
            if answer.status != 202:
                raise RuntimeError(f"{message.path} was answered with {answer.status}: {answer.body[:200]}")
            number += 1
    # A report that cannot be read, and a page that is not there.
    await connection.send("POST", "/v1/calls/broken/stats", b"{", [("Content-Type", "application/json")])
    await connection.send("GET", "/nowhere")
    connection.close()
    return number


def send_packets(port, number=200):
    """Something for a capture to see."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for index in range(number):
            sender.sendto(b"\x80\x00" + index.to_bytes(2, "big") + bytes(168), ("127.0.0.1", port))


class Copy:
    """The records of a database as rows of the tables that the boards of ClickHouse read."""

    def __init__(self, file):
        self.database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.database.row_factory = sqlite3.Row
        self.records = {row["id"]: row for row in self.database.execute("SELECT * FROM record")}

    def key(self, record):
        row = self.records[record]
        return {"tenant": row["tenant"], "call_id": row["callId"], "observer": row["observer"],
                "attempt": row["attempt"], "ver": 1}

    def tables(self):
        return {"calls": self.calls(), "samples": self.samples(), "scores": self.scores(), "events": self.events(),
                "issues": self.issues()}

    def calls(self):
        for number, row in self.records.items():
            summary = json.loads(row["summary"])
            setup, path = summary["setup"], summary["path"]
            seconds = path["secondsByKind"]
            yield {
                **self.key(number), "start_ms": row["start"], "last_ms": row["lastActivity"], "end_ms": row["endedAt"],
                "outcome": row["outcome"], "end_cause": summary["course"].get("endCause", ""), "score": row["score"],
                "score_min": row["worstScore"], "costs.cause": list(summary["costs"]),
                "costs.points": list(summary["costs"].values()), "post_dial_ms": setup.get("postDialDelay"),
                "ring_ms": setup.get("ringTime"), "answer_ms": setup.get("answerDelay"),
                "ice_ms": setup.get("iceConnectTime"), "media_ms": setup.get("mediaSetup"),
                "first_media_ms": setup.get("firstMediaBy"), "duration_ms": setup.get("callDuration"),
                "path": self.path(path), "relayed": int("relay" in seconds) if seconds else None, "deleted": 0,
            }

    @staticmethod
    def path(path):
        ends = f"{path['localType']} – {path['remoteType']}" if "localType" in path and "remoteType" in path else "not known"
        return ends + (f", {path['transportProtocol']}" if "transportProtocol" in path else "")

    def samples(self):
        for row in self.database.execute("SELECT * FROM interval"):
            length = row["time"] - row["start"]
            yield {
                **self.key(row["recordId"]), "ts_ms": row["time"], "dir": row["direction"].removesuffix("bound"),
                "kind": row["kind"], "ssrc": row["source"], "interval_ms": length, "packets": row["packets"] or 0,
                "lost": row["packetsLost"] or 0, "bytes": round((row["bitrateKilobitsPerSecond"] or 0) * length / 8),
                "jitter_ms": row["jitterMilliseconds"], "rtt_ms": row["roundTripMilliseconds"],
                "jb_ms": row["jitterBufferMilliseconds"], "concealed_pct": row["concealedPercent"],
                "fps": row["framesPerSecond"],
                "frozen_ms": None if row["frozenSeconds"] is None else round(row["frozenSeconds"] * 1000),
            }

    def scores(self):
        for row in self.database.execute("SELECT * FROM score WHERE series = 'live'"):
            yield {**self.key(row["recordId"]), "ts_ms": row["time"], "score": row["score"], "audio": row["audioScore"],
                   "video": row["videoScore"]}

    def events(self):
        for row in self.database.execute("SELECT * FROM event"):
            yield {**self.key(row["recordId"]), "ts_ms": row["time"], "rank": row["rank"], "action": row["action"],
                   "type": row["type"], "event_id": str(row["sequence"] or ""), "members": row["members"]}

    def issues(self):
        for number, row in self.records.items():
            for issue in json.loads(row["summary"])["issues"]["all"]:
                stream = issue.get("stream", {})
                yield {
                    **self.key(number), "start_ms": issue["span"]["start"], "end_ms": issue["span"]["end"],
                    "kind": issue["kind"], "severity": issue["severity"], "cause": issue.get("cause", ""),
                    "stream": f"{stream.get('direction', '')} {stream.get('kind', '')}".strip(),
                    "worst": issue.get("worst", {}).get("value"), "unit": issue.get("worst", {}).get("unit", ""),
                }


def copy(file, engine, tables):
    """Makes the tables and copies a database into them."""
    for statement in tables.values():
        engine.post(statement)
    for table, rows in Copy(file).tables().items():
        lines = "\n".join(json.dumps(row) for row in rows)
        engine.post(f"INSERT INTO {table} FORMAT JSONEachRow\n{lines}")
