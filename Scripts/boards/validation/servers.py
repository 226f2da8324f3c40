"""ClickHouse and Prometheus as Debian has them, each on a free port."""
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

SCRAPING = """global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - {{job_name: sidetone, static_configs: [{{targets: ["127.0.0.1:{target}"]}}]}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A server that answers on its port, or a failure that says where its output is."""

    def __init__(self, name, arguments, folder, port, path, seconds=20):
        self.name, self.port = name, port
        self.output = folder / f"{name}.output"
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder)
        end = time.monotonic() + seconds
        while not self.answers(path):
            if time.monotonic() > end or self.process.poll() is not None:
                self.stop()
                raise RuntimeError(f"{name} did not start; its output is {self.output}")
            time.sleep(0.05)

    def answers(self, path):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=1).status == 200
        except (urllib.error.URLError, OSError):
            return False

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ClickHouse:
    """The server that tests have, too."""

    SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "clickhouse"

    def __init__(self, folder):
        self.folder = folder
        printed = subprocess.run([self.SCRIPT, "start", folder], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.port = urllib.parse.urlsplit(printed.split()[1]).port

    def stop(self):
        subprocess.run([self.SCRIPT, "stop", self.folder], check=True)


def prometheus(program, folder, rules, target):
    folder.mkdir(parents=True)
    port = free_port()
    (folder / "prometheus.yml").write_text(SCRAPING.format(rules=pathlib.Path(rules).resolve(), target=target))
    arguments = [program, "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                 f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
    return Process("prometheus", arguments, folder, port, "/-/ready")
