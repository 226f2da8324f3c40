"""A running `sidetone serve`, started as users start it."""
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program(given):
    """The program that is meant: the given one, else the release that was built."""
    path = pathlib.Path(given) if given else ROOT / ".build/release/sidetone"
    if not path.exists():
        sys.exit(f"there is no program {path}; build it with \"swift build -c release --product sidetone\"")
    return path


class Server:
    def __init__(self, sidetone, database, *arguments):
        self.database = pathlib.Path(database)
        self.log = open(f"{database}.log", "ab")
        self.process = subprocess.Popen(
            [sidetone, "serve", "--listen", "127.0.0.1:0", "--database", database, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        if "http://" not in line:
            sys.exit(f"the server did not start; its log is {self.log.name}")
        self.port = int(line.rsplit(":", 1)[1])

    def kill(self):
        """Ends it at once, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.wait()

    def stop(self):
        """Asks it to end and waits for that. Returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self):
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.log.close()
        return status

    @property
    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS:"))

    @property
    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def size(self, suffix=""):
        """Bytes of the database, or of the file with that suffix beside it."""
        try:
            return pathlib.Path(f"{self.database}{suffix}").stat().st_size
        except FileNotFoundError:
            return 0
