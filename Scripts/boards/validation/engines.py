"""Runs queries as the data sources of Grafana do. A result is a list of names and a list of rows."""
import json
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request


class Failed(Exception):
    """The engine refused a query."""


class SQLite:
    """The plugin frser-sqlite-datasource on a file."""

    # Tables with rows of every report or event: a board that reads all of one stands still on a database of many calls.
    LARGE = {"derived", "earlierInterval", "earlierScore", "event", "report", "wireReport"}

    def __init__(self, file):
        self.file = file

    def run(self, target, query):
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as connection:
            try:
                for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {query}"):
                    if step.startswith("SCAN ") and step.split()[1] in self.LARGE:
                        raise Failed(f"reads all of {step.split()[1]}")
                cursor = connection.execute(query)
                names, rows = [column[0] for column in cursor.description], cursor.fetchall()
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise Failed(str(error)) from error
        self.check_types(names, rows, target["timeColumns"])
        return names, rows

    @staticmethod
    def check_types(names, rows, times):
        """The plugin takes the type of a computed column from its first value, and cuts what is not of it."""
        for index, name in enumerate(names):
            kinds = {type(row[index]).__name__ for row in rows if row[index] is not None}
            if name in times:
                if not kinds <= {"int", "float"}:
                    raise Failed(f"the time in {name} is no number")
            elif len(kinds) > 1:
                raise Failed(f"{name} has values of the types {', '.join(sorted(kinds))}")


class ClickHouse:
    """The plugin grafana-clickhouse-datasource on a server, over its HTTP interface."""

    def __init__(self, port, database):
        self.address = f"http://127.0.0.1:{port}/"
        self.database = database

    def post(self, body, **settings):
        settings = urllib.parse.urlencode({
            "database": self.database, "wait_end_of_query": 1, "output_format_json_quote_64bit_integers": 0, **settings})
        try:
            return urllib.request.urlopen(f"{self.address}?{settings}", body.encode(), timeout=30).read()
        except urllib.error.HTTPError as error:
            raise Failed(error.read().decode(errors="replace")[:300]) from error

    def run(self, _, query):
        answer = json.loads(self.post(query + "\nFORMAT JSONCompact", readonly=2))
        times = [index for index, column in enumerate(answer["meta"]) if column["type"].startswith("DateTime")]
        rows = [[self.seconds(value) if index in times else value for index, value in enumerate(row)]
                for row in answer["data"]]
        return [column["name"] for column in answer["meta"]], rows

    @staticmethod
    def seconds(text):
        return int(time.mktime(time.strptime(text, "%Y-%m-%d %H:%M:%S")) - time.timezone)


class Prometheus:
    """Prometheus itself. A row is a sample: time, labels, value."""

    def __init__(self, port, start):
        self.address = f"http://127.0.0.1:{port}/api/v1/"
        self.start = start

    def get(self, path, **parameters):
        try:
            answer = urllib.request.urlopen(f"{self.address}{path}?{urllib.parse.urlencode(parameters)}", timeout=30)
            return json.loads(answer.read())["data"]
        except urllib.error.HTTPError as error:
            raise Failed(json.loads(error.read())["error"]) from error

    def run(self, target, query):
        if query.startswith("label_values("):
            metric, label = query.removeprefix("label_values(").removesuffix(")").split(", ")
            return [label], [(value,) for value in self.get(f"label/{label}/values", **{"match[]": metric})]
        if target.get("instant"):
            series = self.get("query", query=query)["result"]
            rows = [(float(found["value"][0]), found["metric"], float(found["value"][1])) for found in series]
        else:
            series = self.get("query_range", query=query, start=self.start, end=time.time(), step=1)["result"]
            rows = [(float(at), found["metric"], float(value)) for found in series for at, value in found["values"]]
        # A division of nothing by nothing is a gap on the board.
        return ["time", "labels", "value"], [row for row in rows if row[2] == row[2]]
