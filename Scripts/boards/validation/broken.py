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
FLEET_CLICKHOUSE, CALL_CLICKHOUSE = "calls-clickhouse.json", "call-clickhouse.json"

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
    ("a query within a query that each shard would ask itself", FLEET_CLICKHOUSE, replacing("GLOBAL NOT IN", "NOT IN"), "GLOBAL"),
    ("a query within a query of an annotation that is so", CALL_CLICKHOUSE,
     first_mark(lambda mark: mark["target"].update(rawSql=mark["target"]["rawSql"].replace("GLOBAL ", ""))), "GLOBAL"),
    ("an annotation without a query", CALL, first_mark(lambda mark: mark.pop("target")), "annotation"),
]

# What only a server finds.
ANSWERS = [
    ("a column that there is not", FLEET, replacing("worstScore < 70", "leastScore < 70"), "no such column"),
    ("SQL that is none", CALL, replacing("ORDER BY time, rank LIMIT 1000", "ORDER time"), "syntax error"),
    ("all rows of all records", CALL, replacing("recordId = ${record:sqlstring}", "recordId = (SELECT ${record:sqlstring})"),
     "reads all of"),
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
    ("a column that there is not", FLEET_CLICKHOUSE, replacing("worst_score < 70", "least_score < 70"), "least_score"),
    ("a variable in bare quotes", CALL_CLICKHOUSE,
     replacing("decodeURLComponent('${call:percentencode}')", "'${call}'"), ""),
    ("a variable in bare quotes", CALL, replacing("${call:sqlstring}", "'${call}'"), ""),
    ("a metric that there is not", COLLECTOR, replacing("sidetone_calls_active", "sidetone_calls_live"), "finds nothing"),
    ("PromQL that is none", COLLECTOR, replacing("sum by (le)", "sum of (le)"), "parse error"),
    ("a quantile over one bucket", COLLECTOR, replacing("sum by (le, route)", "sum by (route)"), "finds nothing"),
]

# What finds something in ClickHouse, but not what SQLite has; where a row does not stand, what shows it.
UNLIKE = [
    ("earlier rows of records", FLEET_CLICKHOUSE, replacing("records FINAL", "records")),
    ("earlier rows of a record", CALL_CLICKHOUSE, replacing("records FINAL", "records")),
    ("earlier rows of figures", CALL_CLICKHOUSE, replacing("samples FINAL", "samples")),
    ("earlier rows of scores", CALL_CLICKHOUSE, replacing("scores FINAL", "scores")),
    ("earlier rows of facts", CALL_CLICKHOUSE, replacing("facts FINAL", "facts")),
    ("calls that went", FLEET_CLICKHOUSE, replacing("AND deleted = 0 AND start_ms", "AND start_ms")),
    ("records of which nothing is left", FLEET_CLICKHOUSE,
     replacing("AND deleted = 0 AND start_ms", "AND deleted != 1 AND start_ms")),
    ("a record that went", CALL_CLICKHOUSE, replacing("deleted = 0", "deleted != 2")),
    ("sessions that calls claim", FLEET_CLICKHOUSE, replacing("stands_alone = 1 OR", "1 OR")),
    ("calls whose claim went", FLEET_CLICKHOUSE, replacing("AND deleted = 0)", ")")),
    ("figures that were replaced", CALL_CLICKHOUSE,
     replacing("generation GLOBAL IN (SELECT generation", "generation GLOBAL NOT IN (SELECT generation + 9")),
    ("events that could not be taken out", CALL_CLICKHOUSE, replacing("AND gone = 0", "")),
    ("events that two servers took, twice", CALL_CLICKHOUSE, replacing("GROUP BY time_ms,", "GROUP BY node, time_ms,")),
    ("reports for events", CALL_CLICKHOUSE, replacing("rank NOT IN (100, 101)", "rank != 101")),
    ("a member that no summary has", FLEET_CLICKHOUSE, replacing('"callDuration"', '"callDurations"')),
    ("a member that no stream has", CALL_CLICKHOUSE, replacing('"lossPercent"', '"lostPercent"')),
    ("another figure", CALL_CLICKHOUSE, replacing("jitter_ms", "jitter_buffer_ms")),
    ("scores of reports and of windows", CALL_CLICKHOUSE, replacing("AND series = 'live'", "")),
    ("other bounds of a band", FLEET_CLICKHOUSE, replacing("score >= 90", "score >= 100")),
]
