"""A sidetone for the tests, started as users start it, and what its clients post."""

import json
import pathlib
import re
import subprocess
import urllib.error
import urllib.request


class Collector:
    """`sidetone serve` on a free port, with a database of its own in `folder`."""

    def __init__(self, program, folder: pathlib.Path, *arguments: str):
        self._log = open(folder / "log", "wb")
        self.database = folder / "calls.sqlite"
        self._process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--database", self.database, *arguments],
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        line = self._process.stdout.readline().decode()
        found = re.search(r"https?://\S+", line)
        if found is None:
            self._process.wait(10)
            raise RuntimeError(f"sidetone did not start: {(folder / 'log').read_text()}")
        self.address = found.group()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(30)
        self._process.stdout.close()
        self._log.close()

    def request(self, method, path, body=None, headers=()):
        """The answer to a request: status, headers, body. Answers of 400 and more are answers, too."""
        request = urllib.request.Request(self.address + path, data=body, method=method, headers=dict(headers))
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers, answer.read()

    def post(self, path, body, headers=()):
        """Posts what must be taken."""
        body = body if isinstance(body, bytes) else body.encode()
        status, _, answer = self.request("POST", path, body, {"Content-Type": "application/json", **dict(headers)})
        assert status == 202, answer.decode()

    def json(self, path):
        """The JSON at an address that must be there."""
        status, _, answer = self.request("GET", path)
        assert status == 200, answer.decode()
        return json.loads(answer)


def make_token(program, folder: pathlib.Path, scope: str):
    """A token with this scope (`read`, `ingest,read`), and what a Collector must be started with to take it."""
    made = subprocess.run(
        [program, "token", "new", "--tenant", "default", "--scope", scope], check=True, capture_output=True
    )
    token, line = made.stdout.decode().splitlines()
    with open(folder / "tokens", "a") as file:
        file.write(line + "\n")
    return token, ["--tokens", str(folder / "tokens")]


def post_samples(collector, folder: pathlib.Path):
    """Posts the recorded calls as their clients did, each end under the name of its role."""
    for truth in sorted(folder.glob("[0-9]*/truth.json")):
        call = json.loads(truth.read_text())["callId"]
        for end, observer in (("A", "caller"), ("B", "callee")):
            for kind, path in (
                ("callAdditionalInfo", "/v1/events"),
                ("getRTPStatistics-10s", f"/v1/calls/{call}/stats"),
            ):
                file = truth.parent / f"{end}.{kind}.jsonl"
                if file.exists() and file.stat().st_size > 0:
                    collector.post(f"{path}?observer={observer}", file.read_bytes())
