"""Boards with one fault each, to see that the validation finds it."""
import copy
import json


def board_with(boards, file, change):
    """All boards, one of them changed."""
    changed = copy.deepcopy(boards)
    changed[file] = change(changed[file]) or changed[file]
    return changed


def replacing(old, new):
    """A change of the text of a board: of the first query, title or figure that has it."""
    def change(board):
        text = json.dumps(board)
        written, wanted = json.dumps(old)[1:-1], json.dumps(new)[1:-1]
        if written not in text:
            raise ValueError(f"there is nothing of {old} to break")
        return json.loads(text.replace(written, wanted))
    return change


def panel(title, change):
    def changed(board):
        change(next(found for found in board["panels"] if found["title"] == title))
    return changed


def first_mark(change):
    def changed(board):
        change(board["annotations"]["list"][0])
    return changed


def setting(**members):
    return lambda found: found.update(members)


FLEET, CALL, COLLECTOR = "calls-sqlite.json", "call-sqlite.json", "collector-prometheus.json"

# What a look at the files finds: what is broken, in which board, how, and a word of the fault.
SHAPES = [
    ("an id used twice", FLEET, panel("Calls", setting(id=3)), "used"),
    ("two panels on each other", FLEET, panel("Median score", setting(gridPos={"x": 0, "y": 1, "w": 4, "h": 4})), "overlaps"),
    ("a panel beyond the edge", FLEET, panel("Calls", setting(gridPos={"x": 22, "y": 90, "w": 4, "h": 4})), "24 columns"),
    ("no description", FLEET, panel("Calls", setting(description="")), "description"),
    ("a data source of one machine", FLEET, panel("Calls", setting(datasource={"type": "x", "uid": "P1"})), "data source"),
    ("a unit that there is not", CALL,
     panel("Bit rate", lambda found: found["fieldConfig"]["defaults"].update(unit="kilobits")), "no unit"),
    ("a share that begins below 0", FLEET,
     panel("With a bad stretch", lambda found: found["fieldConfig"]["defaults"].update(min=-1)), "begin at 0"),
    ("a uid that is too long", FLEET, lambda board: board.update(uid="x" * 41), "longer than 40"),
    ("a uid used twice", FLEET, lambda board: board.update(uid="sidetone-call-sqlite"), "has the uid"),
    ("an id of one machine", FLEET, lambda board: board.update(id=7), "no id"),
    ("a member that Grafana does not know", FLEET, panel("Calls", setting(gridPosition={"x": 1})), "does not keep"),
    ("a board without panels", FLEET, lambda board: board.update(panels=[]), "missing"),
    ("a link to nowhere", FLEET, replacing("/d/sidetone-call-sqlite", "/d/sidetone-cal-sqlite"), "no board"),
    ("an annotation without a query", CALL, first_mark(lambda mark: mark.pop("target")), "annotation"),
]

# What only a server finds.
ANSWERS = [
    ("a column that there is not", FLEET, replacing("worstScore < 70", "leastScore < 70"), "no such column"),
    ("SQL that is none", CALL, replacing("ORDER BY time, rank LIMIT 1000", "ORDER time"), "syntax error"),
    ("a variable that there is not", FLEET, replacing("${tenant:sqlstring}", "${customer:sqlstring}"), "no variable"),
    ("times in milliseconds", CALL, replacing("time / 1000.0 AS time, score", "time AS time, score"), "not in seconds"),
    ("times that go back", CALL, replacing("series = 'live' ORDER BY time", "series = 'live' ORDER BY time DESC"), "ascend"),
    ("no time", CALL, replacing("time / 1000.0 AS time, score", "time / 1000.0 AS moment, score"), "no column time"),
    ("a figure beyond its scale", FLEET, replacing("AVG(worstScore < 70)", "SUM(worstScore < 70)"), "beyond the max"),
    ("numbers of two types in a column", CALL,
     replacing("CAST(stream.value ->> '$.lossPercent' AS REAL) AS loss",
               "CASE WHEN stream.key % 2 THEN 1 ELSE 1.5 END AS loss"), "types"),
    ("a member that no summary has", FLEET, replacing("'$.course.endCause'", "'$.course.endCauses'"), "no record has"),
    ("a member that no stream has", CALL, replacing("'$.lossPercent'", "'$.lostPercent'"), "no record has"),
    ("a query that finds nothing", FLEET, replacing("score < 80 GROUP", "score < 0 GROUP"), "finds nothing"),
    ("a column that there is not", "calls-clickhouse.json", replacing("score_min) < 70", "least) < 70"), "least"),
    ("a variable in bare quotes", "call-clickhouse.json",
     replacing("decodeURLComponent('${call:percentencode}')", "'${call}'"), ""),
    ("a variable in bare quotes", CALL, replacing("${call:sqlstring}", "'${call}'"), ""),
    ("a metric that there is not", COLLECTOR, replacing("sidetone_calls_active", "sidetone_calls_live"), "finds nothing"),
    ("PromQL that is none", COLLECTOR, replacing("sum by (le)", "sum of (le)"), "parse error"),
    ("a quantile over one bucket", COLLECTOR, replacing("sum by (le, route)", "sum by (route)"), "finds nothing"),
]
