"""Calls made of the recordings in SampleData: what a client said, moved to another time and another call id."""
import functools
import gzip
import json
import pathlib
import re

from laps import Laps

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "SampleData"
# A time of a recording, all of which were made in November 2026: in milliseconds, or in microseconds.
TIME = re.compile(rb"\b(1795\d{9})(\d{3})?\b")


class Message:
    """One request of a client: a report or an event."""

    def __init__(self, kind, path, body, key, time):
        self.kind = kind
        self.path = path
        self.body = body
        # What tells the fact from all others: (kind, call, observer, time, name).
        self.key = key
        self.time = time
        self.headers = [("Content-Type", "application/json")]

    def zipped(self):
        self.body = gzip.compress(self.body, 1)
        self.headers = self.headers + [("Content-Encoding", "gzip")]
        return self


class Recording:
    """What one end of a recorded call posted."""

    def __init__(self, folder, end):
        self.observer = {"A": "caller", "B": "callee"}[end]
        self.reports = self.lines(folder / f"{end}.getRTPStatistics-10s.jsonl")
        self.events = self.lines(folder / f"{end}.callAdditionalInfo.jsonl")
        self.call = (self.reports[0][1] if self.reports else self.events[0][1])["callId"].encode()
        self.start = min(int(members["time"]) for _, members in self.reports + self.events)

    @functools.cached_property
    def laps(self):
        return Laps(self.reports)

    @staticmethod
    def lines(file):
        return [(line, json.loads(line)) for line in file.read_bytes().splitlines()] if file.exists() else []

    def messages(self, call, start, observer=None):
        """The whole call under another id and time, in order of time; the last one ends it."""
        return list(self.stream(call, start, observer))

    def stream(self, call, start, observer=None, laps=1):
        """As `messages`, each made as it is asked for. In a longer call the recorded media come several times."""
        observer = observer or self.observer
        said = [("event", line, members, start) for line, members in self.events]
        for lap in range(laps):
            later = start + lap * self.laps.milliseconds
            reports = self.laps.lap(lap, is_last=lap + 1 == laps)
            said += [("report", line, members, later) for line, members in reports]
        said.sort(key=lambda one: self.time(one[0], one[2]) + one[3])
        for kind, line, members, later in said:
            message = self.message(kind, line, members, call, later, observer)
            yield message
        yield self.end(call, observer, message.time + 500)

    @staticmethod
    def time(kind, members):
        """A report is of the time that its statistics carry, in whole milliseconds."""
        if kind == "event":
            return int(members["time"])
        stamps = [row["timestamp"] for row in members["statistics"] if not row["type"].startswith("remote-")]
        return int(max(stamps) / (1000 if max(stamps) > 1e14 else 1) + 0.5)

    @staticmethod
    def end(call, observer, time):
        """The recorded clients were closed without a word; others tell that their call is over."""
        event = {"action": "callState", "type": "ENDED", "callId": call, "time": str(time), "statusCode": 9901}
        return Message("event", f"/v1/events?observer={observer}", json.dumps(event).encode(),
                       ("event", call, observer, time, "callState/ENDED"), time)

    def message(self, kind, line, members, call, start, observer):
        shift = start - self.start
        body = TIME.sub(lambda found: str(int(found[1]) + shift).encode() + (found[2] or b""), line).replace(self.call, call.encode())
        time = self.time(kind, members) + shift
        is_report = kind == "report"
        path = f"/v1/calls/{call}/stats" if is_report else "/v1/events"
        name = "" if is_report else members["action"] + "/" + members["type"]
        return Message(kind, f"{path}?observer={observer}", body, (kind, call, observer, time, name), time)


def recordings(most_bytes=25_000, least_reports=6):
    """The recordings with reports of a usual size, in order of their names."""
    found = []
    for folder in sorted(SAMPLES.glob("[0-9]*")):
        for end in "AB":
            files = [folder / f"{end}.{kind}.jsonl" for kind in ("callAdditionalInfo", "getRTPStatistics-10s")]
            if all(file.exists() and file.stat().st_size > 0 for file in files):
                recording = Recording(folder, end)
                sizes = [len(line) for line, _ in recording.reports]
                if len(sizes) >= least_reports and max(sizes) <= most_bytes:
                    found.append(recording)
    return found
