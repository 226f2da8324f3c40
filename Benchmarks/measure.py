"""Runs programs and tells what they cost: CPU time and peak memory of each process, from the kernel's account of it."""
import os
import pathlib
import re
import resource
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
STREAM = re.compile(r"\s*-?[\d.]+\s+-?[\d.]+\s+(\S+)\s+(\d+)\s+(\S+)\s+(\d+)\s+0x([0-9A-F]{8})\s+.*?\s(\d+)\s+(-?\d+) \(")


class Cost:
    """What one run cost: seconds of CPU (user and system), seconds on the clock are not of interest; bytes at the peak."""

    def __init__(self, usage):
        self.seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024


def run(command, output=os.devnull):
    """Runs a program and returns its Cost. Its standard output goes to the file `output`."""
    with open(output, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
        words = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: status {process.returncode}\n{words.decode(errors='replace')[-2000:]}")
    return Cost(usage)


def warm(path):
    """Reads a file once, so that no run has to wait for the disk."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 22):
            pass


def rounds(commands, count):
    """Runs each of the commands so many times, in turn, and returns the lists of their costs."""
    costs = {name: [] for name in commands}
    for _ in range(count):
        for name, command in commands.items():
            costs[name].append(run(command))
    return costs


def median(costs, member="seconds"):
    return statistics.median(getattr(cost, member) for cost in costs)


def peak(costs):
    """The median of the peaks in MB. What a process starts with counts, too, and that is this interpreter's memory."""
    megabytes, own = median(costs, "megabytes"), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{megabytes:.0f}" if megabytes > own + 1 else f"below {own:.0f}"


def table(header, rows):
    """A table in Markdown; all columns but the first are right-aligned."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in [header] + rows) for n in range(len(header))]

    def line(cells):
        return "| " + " | ".join(c.ljust(w) if n == 0 else c.rjust(w) for n, (c, w) in enumerate(zip(cells, widths))) + " |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if n else "-") for n, w in enumerate(widths)) + "|"
    print("\n".join([line(header), rule] + [line(row) for row in rows]) + "\n", flush=True)


def tshark_streams(text):
    """(lost, packets) by (source, port, destination, port, SSRC), from `tshark -q -z rtp,streams`."""
    found = {}
    for line in text.splitlines():
        if match := STREAM.match(line):
            source, port, destination, other, ssrc, packets, lost = match.groups()
            found[source, int(port), destination, int(other), int(ssrc, 16)] = int(lost), int(packets)
    return found
