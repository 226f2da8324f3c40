"""Runs every query of a board and judges what comes back."""
import itertools
import json
import math

from validation.engines import Failed
from validation.interpolation import Unknown, interpolate

NUMBERS = (int, float)
TIMES = ("time", "timeEnd", "start", "at")
HIDDEN = 2


def text_of(target):
    return target.get("rawQueryText") or target.get("rawSql") or target.get("expr") or ""


class Trial:
    """A board on an engine, with values for its variables: several sets, such as several calls."""

    def __init__(self, file, board, engine, sets, absent=None):
        self.file, self.board, self.engine = file, board, engine
        self.sets = [self.completed(values) for values in sets]
        # What queries ask of in vain here.
        self.absent = absent
        self.ran = 0
        # What each panel showed, with one set after the other, by title.
        self.shown = {}

    def completed(self, values):
        """Values of variables, with those that are hidden: Grafana has them from the others."""
        values = dict(values)
        for variable in self.board["templating"]["list"]:
            if variable["hide"] == HIDDEN:
                try:
                    _, rows = self.engine.run({"timeColumns": []}, interpolate(variable["query"], values))
                except (Failed, Unknown):
                    # Faults of this query are found as those of any other.
                    rows = []
                values[variable["name"]] = rows[0][0] if rows else ""
        return values

    def faults(self):
        for variable in self.board["templating"]["list"]:
            if variable["type"] == "query":
                target = {"timeColumns": []}
                yield from self.judged(variable["name"], [(target, variable["query"])], lambda *_: None)
                if variable["hide"] == HIDDEN:
                    # Nobody sees it, and the board of another store has none.
                    del self.shown[variable["name"]]
        for panel in self.board["panels"]:
            if panel["type"] != "row":
                queries = [(target, text_of(target)) for target in panel["targets"]]
                yield from self.judged(panel["title"], queries, lambda *found, panel=panel: of_panel(panel, *found))
        for mark in self.board["annotations"]["list"]:
            yield from self.judged(f"annotation {mark['name']}", [(mark["target"], text_of(mark["target"]))], of_mark,
                                   is_needed=False)

    def judged(self, title, queries, judge, is_needed=True):
        """Faults of queries; each has to find something with one set of values at least."""
        self.shown[title] = []
        for target, query in queries:
            is_found = False
            for values in self.sets:
                try:
                    names, rows = self.engine.run(target, interpolate(query, values))
                except (Failed, Unknown) as error:
                    yield f"{self.file}: {title}: {error}"
                    return
                self.ran += 1
                self.shown[title].append((names, rows))
                if rows and any(value is not None for row in rows for value in row):
                    is_found = True
                    fault = judge(target, names, rows)
                    if fault:
                        yield f"{self.file}: {title}: {fault}"
                        return
            if is_needed and not is_found and not (self.absent and self.absent in query):
                yield f"{self.file}: {title}: finds nothing"


def of_panel(panel, target, names, rows):
    """What is wrong with an answer for a kind of panel."""
    if target["datasource"]["type"] != "prometheus":
        columns = {name: [row[index] for row in rows if row[index] is not None] for index, name in enumerate(names)}
        numeric = [name for name, values in columns.items() if values and all(isinstance(v, NUMBERS) for v in values)]
        if panel["type"] in ("timeseries", "state-timeline"):
            fault = of_times(columns.get("time", []), "time")
            if fault:
                return fault
            numeric.remove("time")
        if panel["type"] != "table" and panel["fieldConfig"]["defaults"]["unit"] != "string" and not numeric:
            if panel["type"] != "state-timeline":
                return "no number"
        if panel["type"] == "barchart" and names[0] in numeric:
            return "its first column is a number, where it should be a name"
        shown = [] if panel["type"] == "table" else [value for name in numeric for value in columns[name]]
    else:
        shown = [value for _, _, value in rows]
    defaults = panel["fieldConfig"]["defaults"]
    for name, is_beyond in [("min", lambda value, limit: value < limit), ("max", lambda value, limit: value > limit)]:
        if name in defaults and panel["type"] not in ("heatmap",):
            beyond = [value for value in shown if is_beyond(value, defaults[name])]
            if beyond:
                return f"{beyond[0]} is beyond the {name} of {defaults[name]}"
    return None


def of_mark(target, names, rows):
    """What is wrong with an answer for annotations."""
    if target["datasource"]["type"] == "prometheus":
        return None
    columns = {name: [row[index] for row in rows] for index, name in enumerate(names)}
    if "text" not in columns:
        return "no text"
    return of_times(columns.get("time", []), "time") or (
        of_times(columns["timeEnd"], "timeEnd") if "timeEnd" in columns else None)


def of_times(times, name):
    if not times:
        return f"no column {name}"
    if not all(1e9 < time < 1e10 for time in times):
        return f"{name} is not in seconds since 1970"
    if name == "time" and list(times) != sorted(times):
        return "the times do not ascend"
    return None


def differences(first, second):
    """Where two trials of one board on two stores do not show the same."""
    for title in {**first.shown, **second.shown}:
        left, right = (trial.shown.get(title, []) for trial in (first, second))
        if not left or len(left) != len(right):
            yield f"{title} has {len(left)} answers of one store, {len(right)} of the other"
        yield from itertools.islice((f"{title} {found}" for found in map(difference, left, right) if found), 1)


def difference(left, right):
    """What is not the same in two answers; None when all is."""
    if left[0] != right[0] or len(left[1]) != len(right[1]):
        return f"has {len(left[1])} rows of {left[0]} of one store, {len(right[1])} of {right[0]} of the other"
    for pair in zip(left[1], right[1]):
        if not all(map(is_same, *pair, left[0])):
            return f"is {json.dumps(pair[0])} of one store, {json.dumps(pair[1])} of the other"
    return None


def is_same(left, right, name):
    """Whether two figures are the same: ClickHouse has times in seconds, shorter fractions, and no absent texts."""
    if name in TIMES and left and right:
        return int(left) == int(right)
    if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
        return math.isclose(left, right, rel_tol=1e-5, abs_tol=1e-9)
    return (left or None) == (right or None)
