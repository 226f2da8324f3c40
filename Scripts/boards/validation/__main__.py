"""Tries boards and alerts; see Scripts/dashboards-check."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import clickhouse
import files
import provisioning
import rules
import sqlite
import yaml
import yamltext
from validation import broken, fill, leavings, servers, structure
from validation.engines import ClickHouse, Failed, Prometheus, SQLite
from validation.interpolation import Raw, interpolate
from validation.members import unknown_members
from validation.queries import Trial, differences, text_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "load"))
from server import Server  # noqa: E402

# The call whose panels are compared between stores; it went out for 5 s, and has events, issues and all streams.
SHOWN = "10-outage5s"
# A call that still rings.
RINGING = "ringing"
# Ids that try to get out of their quotes.
HOSTILE = ["x' OR '1' = '1", "x\\' OR 1=1 -- ", "'; DROP TABLE record; --", "${tenant}", "%", "💥\\", "\"'`", "a/../b?c&d#e"]


class Report:
    """The faults found so far, each printed as it comes."""

    def __init__(self):
        self.count = 0

    def add(self, faults):
        for fault in faults:
            self.count += 1
            print(fault[:2000], file=sys.stderr)


class Bench:
    """The running servers and what they were filled with."""

    def __init__(self, options, folder):
        self.tools, self.folder = pathlib.Path(options.tools).resolve(), folder
        self.start = time.time()
        self.running = []
        try:
            self.fill(options, folder)
        except BaseException:
            self.stop()
            raise

    def fill(self, options, folder):
        self.packets = servers.free_port()
        self.captures = os.geteuid() == 0
        capture = ["--capture", "lo", "--capture-filter", f"udp port {self.packets}"] if self.captures else []
        self.clickhouse = servers.ClickHouse(folder / "clickhouse")
        self.running.append(self.clickhouse)
        store = ["--store", f"clickhouse://127.0.0.1:{self.clickhouse.port}/calls"]
        self.sidetone = Server(options.program, folder / "calls.sqlite", *capture, *store)
        self.running.insert(0, self.sidetone)
        self.prometheus = servers.prometheus(
            self.tools / "prometheus", folder / "prometheus", files.FOLDER / "Prometheus/sidetone.rules.yml",
            self.sidetone.port)
        self.running.append(self.prometheus)
        self.prometheus_engine = Prometheus(self.prometheus.port, self.start)
        # What was counted before the first scrape is no rise.
        self.wait("Prometheus has scraped nothing", lambda: self.prometheus_engine.get(
            "query", query="sidetone_build_info")["result"])
        fill.post(self.sidetone.port)
        self.sqlite_engine = SQLite(folder / "calls.sqlite")
        self.clickhouse_engine = ClickHouse(self.clickhouse.port, "calls")
        self.wait("ClickHouse has not all that was posted", self.is_shipped)
        fill.erase(self.sidetone.port)
        self.wait("ClickHouse has a call that was erased", self.is_shipped)
        self.littered_engine = ClickHouse(self.clickhouse.port, "littered")
        leavings.leave(self.littered_engine, "calls")

    def is_shipped(self):
        """Whether ClickHouse has the records that SQLite has, and no others, and none of them is derived anew yet."""
        of_sqlite = "SELECT callId, attempt, observer, isDirty, summary FROM record"
        of_clickhouse = "SELECT call_id, attempt, observer, dirty, summary FROM records FINAL WHERE deleted = 0"
        try:
            answers = [self.sqlite_engine.run({"timeColumns": []}, of_sqlite), self.clickhouse_engine.run({}, of_clickhouse)]
        except Failed:
            # There are no tables before something is shipped.
            return False
        # Members of a summary have no order.
        stored, shipped = ({tuple(key): (is_dirty, json.loads(summary)) for *key, is_dirty, summary in rows}
                           for _, rows in answers)
        return stored == shipped and not any(is_dirty for is_dirty, _ in stored.values())

    def wait_for_ends(self):
        """Calls count as over some time after their end; boards of a collector show those that are."""
        # Only now, for a probe makes records, too, and both stores were to have the same.
        fill.send_packets(self.packets)
        self.wait("no call is over, a minute after the last one ended", lambda: any(
            float(value) > 1 for value in self.metric("sidetone_call_quality_score_count")))
        # All are counted at once, and all panels look back from the same moments.
        self.wait("Prometheus does not know of calls that are over", lambda: self.prometheus_engine.run(
            {}, "increase(sidetone_call_quality_score_count[20s]) > 1")[1])
        if self.captures:
            self.wait("Prometheus does not know of packets that were captured", lambda: self.prometheus_engine.run(
                {}, "sum(rate(sidetone_pcap_packets_total[20s])) > 0")[1])

    @staticmethod
    def wait(otherwise, condition):
        """Waits until something holds, for a minute at most."""
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(otherwise)
            time.sleep(0.2)

    def metrics(self):
        return urllib.request.urlopen(f"http://127.0.0.1:{self.sidetone.port}/metrics", timeout=10).read().decode()

    def metric(self, name):
        return [line.rsplit(" ", 1)[1] for line in self.metrics().splitlines() if line.startswith(name)]

    def stop(self):
        """Ends the servers. Returns the exit status of sidetone."""
        return [process.stop() for process in self.running][0]

    # What stands for the variables of a board.

    def sets(self, file):
        starts = [record["start"] for record in self.records()]
        times = {"__from": min(starts), "__to": max(starts) + 1, "__interval_ms": 600_000, "tenant": "default",
                 "datasource": "chosen"}
        if file.startswith("collector"):
            return [{"instance": Raw(".*"), "__rate_interval": "20s"},
                    {"instance": f"127.0.0.1:{self.sidetone.port}", "__rate_interval": "20s"}]
        if file.startswith("calls-"):
            every = {"calls-sqlite.json": "'%'", "calls-clickhouse.json": "%25"}[file]
            return [{**times, "observer": Raw(every)}, {**times, "observer": "caller"}]
        shown = next(call for call in fill.recorded_calls() if call.folder_name == SHOWN)
        ids = [shown.call.decode()] + sorted({record["callId"] for record in self.records()})
        return [{**times, "call": call, "observer": observer, "attempt": "1"}
                for call in ids for observer in ["caller", "callee"]]

    def hostile_sets(self, file):
        return [{**values, "call": name, "observer": name, "tenant": tenant}
                for values in self.sets(file)[:1] for name in HOSTILE for tenant in ["default", name]]

    def records(self):
        names, rows = self.sqlite_engine.run({"timeColumns": []}, "SELECT callId, start FROM record")
        return [dict(zip(names, row)) for row in rows]

    def engine(self, file):
        if "sqlite" in file:
            return self.sqlite_engine
        return self.clickhouse_engine if "clickhouse" in file else self.prometheus_engine

    def trial(self, file, board, sets=None):
        # Without the right to capture there is nothing captured; in CI there has to be.
        absent = None if self.captures or os.environ.get("CI") == "true" else "sidetone_pcap_"
        return Trial(file, board, self.engine(file), sets or self.sets(file), absent)


def unlike_sqlite(bench, boards, file):
    """What a board of ClickHouse shows otherwise than that of SQLite, where rows that do not stand lie beside the others."""
    other = file.replace("clickhouse", "sqlite")
    pair = [Trial(other, boards[other], bench.sqlite_engine, bench.sets(other)[:2]),
            Trial(file, boards[file], bench.littered_engine, bench.sets(file)[:2])]
    refused = [fault for trial in pair for fault in trial.faults() if not fault.endswith("finds nothing")]
    return refused or [f"{file}, beside rows that do not stand: {found}" for found in differences(*pair)]


def hostile_faults(bench, file, board):
    """Texts that people and clients choose must not become part of a query: nothing is found, and nothing fails."""
    trial = bench.trial(file, board, bench.hostile_sets(file))
    found = [fault for fault in trial.faults() if not fault.endswith("finds nothing")]
    # With those, only what lists tenants finds anything.
    found += [f"{file}: {title} finds something under the id of an attacker" for title, answers in trial.shown.items()
              if title != "tenant" and file.startswith("call-")
              and any(value is not None for _, rows in answers for row in rows for value in row)]
    return found


def ringing_faults(bench, boards):
    """A call that rings has not failed, and one that rang and was not heard of since has: by both stores."""
    fill.ring(bench.sidetone.port, RINGING)
    bench.wait("ClickHouse has not the call that rings", bench.is_shipped)
    for store in (sqlite, clickhouse):
        file = f"calls-{store.SUFFIX}.json"
        target = next(panel for panel in boards[file]["panels"] if panel["title"] == "Records of calls that failed")["targets"][0]
        for words, query, is_failed in [("rings", text_of(target), False),
                                        ("was not heard of since", text_of(target).replace("- 90000", "+ 90000"), True)]:
            _, rows = bench.engine(file).run(target, interpolate(query, bench.sets(file)[0]))
            if any(row[0] == RINGING for row in rows) != is_failed:
                yield f"{file}: a call that {words} is {'not ' if is_failed else ''}among those that failed"
    fill.erase(bench.sidetone.port, RINGING)


def rule_faults(bench, folder):
    """What promtool, and Prometheus itself, have against the rules."""
    prometheus = folder / "Prometheus"
    runs = [["check", "rules", "sidetone.rules.yml"], ["check", "config", "--syntax-only", "prometheus.yml"],
            ["test", "rules", *sorted(file.name for file in prometheus.glob("*.test.yml"))]]
    for arguments in runs:
        run = subprocess.run([bench.tools / "promtool", *arguments], cwd=prometheus, capture_output=True, text=True)
        if run.returncode != 0:
            yield f"promtool {' '.join(arguments)}: {run.stdout + run.stderr}"


def provisioning_faults(folder, boards):
    """Whether the files of provisioning are YAML that says what was meant, and name what the boards need."""
    for path, value in [("datasources", provisioning.data_sources()), ("dashboards", provisioning.board_providers())]:
        text = (folder / f"Grafana/provisioning/{path}/sidetone.yaml").read_text()
        if yaml.safe_load(text) != value:
            yield f"provisioning/{path}/sidetone.yaml does not say what was meant"
    offered = {source["type"] for source in provisioning.data_sources()["datasources"]}
    for file, board in boards.items():
        if board["templating"]["list"][0]["query"] not in offered:
            yield f"{file}: no data source of its kind is provisioned"


def unseen_metrics(bench, board):
    """Metrics of the running server that no panel shows."""
    shown = " ".join(target["expr"] for panel in board["panels"] for target in panel.get("targets", []))
    for line in bench.metrics().splitlines():
        if line.startswith("# TYPE ") and line.split()[2] not in shown:
            yield f"no panel shows {line.split()[2]}"


def missed_shapes(boards):
    """Broken copies whose fault a look at the files did not find."""
    for what, file, change, word in broken.SHAPES:
        found = list(structure.faults(broken.board_with(boards, file, change)))
        if not any(word in fault for fault in found):
            yield f"missed: {what}; found {found[:2]}"


def missed_answers(bench, boards, cases):
    """Broken copies whose fault no server's answer showed."""
    for what, file, change, word in cases:
        board = broken.board_with(boards, file, change)[file]
        if "bare" in what:
            found = hostile_faults(bench, file, board)
        elif "member" in what:
            found = list(unknown_members(file, board, bench.sqlite_engine))
        else:
            found = list(bench.trial(file, board, bench.sets(file)[:2]).faults())
        if not any(word in fault for fault in found):
            yield f"missed: {what}; found {found[:2]}"


def missed_differences(bench, boards):
    """Broken copies that find something, and not what SQLite has."""
    for what, file, change in broken.UNLIKE:
        found = unlike_sqlite(bench, broken.board_with(boards, file, change), file)
        if not any("beside rows" in fault for fault in found):
            yield f"missed: {what}; found {found[:2]}"


def missed_rules(bench):
    """Rules that never fire, or always, and that are none: the tests of the rules have to fail for each alert."""
    for what, expression, word in [("never fires", "vector(0) > 1", "fires"), ("always fires", "vector(1)", "rests")]:
        document = rules.rules()
        for rule in document["groups"][1]["rules"]:
            rule.update({"expr": expression, "for": "0m"})
        output = " ".join(with_rules(bench, document))
        for alert in rules.ALERTS:
            if f"{alert.name} {word}" not in output:
                yield f"missed: {alert.name} {what}"
    document = rules.rules()
    document["groups"][0]["rules"][0]["expr"] = "sum by (kind rate("
    if not any("parse error" in fault for fault in with_rules(bench, document)):
        yield "missed: a rule that is no PromQL"


def with_rules(bench, document):
    """What is found with other rules in the place of ours."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "Prometheus"
        folder.mkdir()
        for file in (files.FOLDER / "Prometheus").iterdir():
            (folder / file.name).write_text(file.read_text())
        (folder / "sidetone.rules.yml").write_text(yamltext.document(document))
        return [fault for fault in rule_faults(bench, pathlib.Path(name))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    report, boards = Report(), files.boards()
    bench = Bench(options, options.folder.resolve())
    try:
        report.add(structure.faults(boards))
        report.add(provisioning_faults(files.FOLDER, boards))
        report.add(rule_faults(bench, files.FOLDER))
        trials = {file: bench.trial(file, board) for file, board in boards.items()}
        for file, trial in trials.items():
            if trial.engine is not bench.prometheus_engine:
                report.add(trial.faults())
                report.add(hostile_faults(bench, file, boards[file]))
            if trial.engine is bench.sqlite_engine:
                report.add(unknown_members(file, boards[file], trial.engine))
        for prefix in ["calls", "call"]:
            pair = [trials[f"{prefix}-{store.SUFFIX}.json"] for store in (sqlite, clickhouse)]
            report.add(f"{prefix}: {found}" for found in differences(*pair))
            report.add(unlike_sqlite(bench, boards, f"{prefix}-clickhouse.json"))
        stores = [case for case in broken.ANSWERS if case[1] != broken.COLLECTOR]
        report.add(missed_shapes(boards))
        report.add(missed_answers(bench, boards, stores))
        report.add(missed_differences(bench, boards))
        report.add(ringing_faults(bench, boards))
        report.add(missed_rules(bench))
        bench.wait_for_ends()
        report.add(trials["collector-prometheus.json"].faults())
        report.add(unseen_metrics(bench, boards["collector-prometheus.json"]))
        for group in bench.prometheus_engine.get("rules")["groups"]:
            report.add(f"{rule['name']}: {rule['lastError']}" for rule in group["rules"] if rule.get("lastError"))
        report.add(missed_answers(bench, boards, [case for case in broken.ANSWERS if case not in stores]))
    finally:
        status = bench.stop()
    report.add(["sidetone did not end with status 0"] if status != 0 else [])
    panels = sum(panel["type"] != "row" for board in boards.values() for panel in board["panels"])
    print(f"    {len(boards)} boards with {panels} panels, {sum(trial.ran for trial in trials.values())} answers to their "
          f"queries, {len(rules.ALERTS)} alerts, {len(broken.SHAPES) + len(broken.ANSWERS) + len(broken.UNLIKE)} broken boards; "
          f"{report.count} faults")
    sys.exit(1 if report.count else 0)


if __name__ == "__main__":
    main()
