"""What the boards ask of the database that `sidetone serve` writes: Sources/SQLiteStore/Schema.swift.

The data source is the plugin frser-sqlite-datasource. It wants times in seconds, and takes the type of a computed column
from its first value, so a figure that may be whole or not is cast. Texts of variables are put into queries by Grafana's
format `sqlstring`, which quotes them as SQLite does.
"""
from grafana import box, choice, source

NAME = "SQLite"
SUFFIX = "sqlite"
KIND = "frser-sqlite-datasource"
FLEET = "sidetone-calls-sqlite"
CALL = "sidetone-call-sqlite"

TIMES = ["time", "timeEnd", "start", "at"]


def target(sql, series=False):
    return {
        "refId": "A", "datasource": source(KIND), "queryType": "time series" if series else "table",
        "rawQueryText": sql, "queryText": sql, "timeColumns": TIMES,
    }


def targets(panel):
    sql = QUERIES.get(panel.key)
    return [target(sql, series=panel.kind == "timeseries")] if sql else None


# Records of calls that began in the chosen time; what was told under the id of a session that calls claim is no call.
CHOSEN = """tenant = ${tenant:sqlstring} AND start >= $__from AND start < $__to
    AND observer LIKE ${observer:sqlstring}
    AND (standsAlone = 1 OR NOT EXISTS (
        SELECT 1 FROM claim WHERE claim.tenant = record.tenant AND claim.session = record.callId))"""

# The one record that is looked at.
THIS = """tenant = ${tenant:sqlstring} AND callId = ${call:sqlstring}
    AND observer = ${observer:sqlstring} AND attempt = ${attempt:sqlstring}"""
# Its id comes from a variable: SQLite takes no query within a query into the views, and would read all rows of all records.
OF_THIS = "recordId = ${record:sqlstring}"

SPAN = "start / $__interval_ms"
STREAM = "CASE direction WHEN 'inbound' THEN 'in ' ELSE 'out ' END || kind || ' ' || source"


def percentile(share, figure, condition):
    """One percentile: the value that so many of a hundred lie below."""
    return f"""
SELECT figure AS value FROM (
    SELECT {figure} AS figure, ROW_NUMBER() OVER (ORDER BY {figure}) - 1 AS position, COUNT(*) OVER () AS number
    FROM record WHERE {CHOSEN} AND {condition})
WHERE position = number * {share} / 100"""


def percentiles_over_time(parts):
    """Percentiles of each span of time: (name, share, figure)."""
    ranked = ",\n        ".join(
        f"{figure} AS f{number}, ROW_NUMBER() OVER (PARTITION BY {SPAN} ORDER BY {figure} NULLS LAST) - 1 AS p{number}, "
        f"COUNT({figure}) OVER (PARTITION BY {SPAN}) AS n{number}" for number, (_, _, figure) in enumerate(parts))
    shown = ", ".join(
        f'MAX(CASE WHEN p{number} = n{number} * {share} / 100 THEN f{number} END) AS "{name}"'
        for number, (name, share, _) in enumerate(parts))
    return f"""
SELECT time, {shown} FROM (
    SELECT {SPAN} * $__interval_ms / 1000 AS time,
        {ranked}
    FROM record WHERE {CHOSEN})
GROUP BY time ORDER BY time"""


def summary(path, cast=None):
    """A member of the record's summary."""
    member = f"json_extract(summary, '$.{path}')"
    return f"CAST({member} AS {cast})" if cast else member


def of_interval(figure):
    return f"""
SELECT time / 1000.0 AS time, {STREAM} AS stream, {figure} AS value
FROM interval WHERE {OF_THIS} AND {figure} IS NOT NULL ORDER BY interval.time, stream"""


# What became of a call: of one that rings and was heard of within 90 s, nothing yet (CallSummary.outcome(isLive:)).
OUTCOME = """iif(outcome = 'notAnswered' AND endedAt IS NULL
    AND lastReceivedAt > strftime('%s', 'now') * 1000 - 90000, 'unknown', outcome)"""
# Whether an event ended it: that its probe stopped to watch is told after all else.
ENDED = "endedAt <= lastActivity"
FAILED = f"{OUTCOME} IN ('notConnected', 'notAnswered')"
TOP_CAUSE = "(SELECT leadingCause FROM outline WHERE recordId = record.id)"
POST_DIAL = summary("setup.postDialDelay")

# What a row of a table says of a record; `from` and `to` are where its board looks.
ROW = f"""callId AS call, observer, CAST(attempt AS TEXT) AS attempt, start / 1000.0 AS start, score,
    worstScore AS worst, {TOP_CAUSE} AS "cost most", {OUTCOME} AS result, {summary("course.endCause")} AS end,
    CAST({summary("setup.callDuration")} / 1000.0 AS REAL) AS duration, {POST_DIAL} AS "post-dial delay",
    CAST(start - 10000 AS TEXT) AS "from", CAST(lastActivity + 10000 AS TEXT) AS "to\""""

BANDS = """SUM(score < 60) AS bad, SUM(score BETWEEN 60 AND 69) AS poor, SUM(score BETWEEN 70 AND 79) AS fair,
    SUM(score BETWEEN 80 AND 89) AS good, SUM(score >= 90) AS excellent"""

QUERIES = {
    # All calls.
    "calls": f"SELECT COUNT(*) AS calls FROM (SELECT DISTINCT callId, attempt FROM record WHERE {CHOSEN})",
    "median": percentile(50, "score", "score IS NOT NULL"),
    "bad_stretch": f"SELECT AVG(worstScore < 70) AS share FROM record WHERE {CHOSEN} AND worstScore IS NOT NULL",
    "failed": f"SELECT AVG({FAILED}) AS share FROM record WHERE {CHOSEN}",
    "post_dial": percentile(95, POST_DIAL, f"{POST_DIAL} IS NOT NULL"),
    "relayed": f"""
SELECT AVG({summary("path.secondsByKind.relay")} IS NOT NULL) AS share
FROM record WHERE {CHOSEN} AND {summary("path.secondsByKind")} <> '{{}}'""",
    "score_over_time": percentiles_over_time([("p5", 5, "score"), ("p50", 50, "score"), ("p95", 95, "score")]),
    "bands_over_time": f"""
SELECT {SPAN} * $__interval_ms / 1000 AS time, {BANDS}
FROM record WHERE {CHOSEN} AND score IS NOT NULL GROUP BY 1 ORDER BY 1""",
    "scores": f"""
SELECT CASE WHEN score >= 90 THEN '90 to 100' ELSE (score / 10 * 10) || ' to ' || (score / 10 * 10 + 9) END AS score,
    COUNT(*) AS records
FROM record WHERE {CHOSEN} AND score IS NOT NULL GROUP BY 1 ORDER BY MIN(record.score)""",
    "causes": f"""
SELECT {TOP_CAUSE} AS cause, COUNT(*) AS records
FROM record WHERE {CHOSEN} AND score < 80 GROUP BY 1 HAVING cause IS NOT NULL ORDER BY 2 DESC, 1""",
    "issues": f"""
SELECT json_extract(found.value, '$.kind') AS issue, COUNT(DISTINCT record.id) AS records
FROM record, json_each(summary, '$.issues.all') AS found WHERE {CHOSEN} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 12""",
    "setup_over_time": percentiles_over_time([
        ("post-dial delay", 95, POST_DIAL), ("answer to connected", 95, summary("setup.mediaSetup")),
        ("first media", 95, summary("setup.firstMediaBy"))]),
    "ends": f"""
SELECT coalesce({summary("course.endCause")}, CASE WHEN {ENDED} THEN 'unknown' ELSE 'going on or silent' END)
    AS end, COUNT(*) AS records
FROM record WHERE {CHOSEN} GROUP BY 1 ORDER BY 2 DESC, 1""",
    "worst_calls": f"""
SELECT {ROW}
FROM record WHERE {CHOSEN} AND worstScore IS NOT NULL ORDER BY worstScore, record.score, callId, observer LIMIT 50""",
    "failed_calls": f"""
SELECT {ROW}
FROM record WHERE {CHOSEN} AND {FAILED} ORDER BY record.start DESC LIMIT 50""",

    # One call.
    "score": f"SELECT score FROM record WHERE {THIS}",
    "worst": f"SELECT worstScore AS score FROM record WHERE {THIS}",
    "outcome": f"SELECT {OUTCOME} || coalesce(', ' || {summary('course.endCause')}, '') AS result FROM record WHERE {THIS}",
    "duration": f"SELECT CAST({summary('setup.callDuration')} / 1000.0 AS REAL) AS seconds FROM record WHERE {THIS}",
    "path": f"""
SELECT coalesce({summary("path.localType")} || ' – ' || {summary("path.remoteType")}, 'not known')
    || coalesce(', ' || {summary("path.transportProtocol")}, '') AS path FROM record WHERE {THIS}""",
    "live": f"""
SELECT time / 1000.0 AS time, score AS all, audioScore AS audio, videoScore AS video
FROM score WHERE {OF_THIS} AND series = 'live' ORDER BY time""".replace("AS all", 'AS "all"'),
    "costs": f"""
SELECT cost.key AS cause, CAST(cost.value AS REAL) AS points
FROM record, json_each(summary, '$.costs') AS cost WHERE {THIS} ORDER BY cost.value DESC""",
    "phases": f"""
SELECT json_extract(phase.value, '$.time') / 1000.0 AS time, json_extract(phase.value, '$.phase') AS phase
FROM record, json_each(summary, '$.course.phases') AS phase WHERE {THIS} ORDER BY 1""",
    "loss": of_interval("lossPercent"),
    "concealed": of_interval("concealedPercent"),
    "jitter": of_interval("jitterMilliseconds"),
    "round_trip": of_interval("roundTripMilliseconds"),
    "buffer": of_interval("jitterBufferMilliseconds"),
    "bitrate": of_interval("bitrateKilobitsPerSecond"),
    "frames": of_interval("framesPerSecond"),
    "frozen": of_interval("frozenSeconds"),
    "streams": f"""
SELECT CASE stream.value ->> '$.stream.direction' WHEN 'inbound' THEN 'in ' ELSE 'out ' END
        || (stream.value ->> '$.stream.kind') || ' ' || (stream.value ->> '$.stream.source') AS stream,
    stream.value ->> '$.codec' AS codec, stream.value ->> '$.packets' AS packets,
    stream.value ->> '$.packetsLost' AS lost, CAST(stream.value ->> '$.lossPercent' AS REAL) AS loss,
    CAST(stream.value ->> '$.concealedPercent' AS REAL) AS concealed,
    CAST(stream.value ->> '$.jitterMilliseconds' AS REAL) AS jitter,
    CAST(stream.value ->> '$.maximumJitterMilliseconds' AS REAL) AS "most jitter",
    CAST(stream.value ->> '$.roundTripMilliseconds' AS REAL) AS "round trip",
    CAST(stream.value ->> '$.bitrateKilobitsPerSecond' AS REAL) AS "bit rate",
    stream.value ->> '$.score' AS score, stream.value ->> '$.worstScore' AS worst
FROM record, json_each(summary, '$.streams') AS stream WHERE {THIS}""",
    "found": f"""
SELECT (found.value ->> '$.span.start') / 1000.0 AS at, found.value ->> '$.kind' AS issue,
    found.value ->> '$.severity' AS severity,
    ((found.value ->> '$.span.end') - (found.value ->> '$.span.start')) / 1000.0 AS lasted,
    CAST(round(found.value ->> '$.worst.value', 1) AS TEXT) || ' ' || (found.value ->> '$.worst.unit') AS worst,
    found.value ->> '$.cause' AS cause,
    (found.value ->> '$.stream.direction') || ' ' || (found.value ->> '$.stream.kind') AS stream
FROM record, json_each(summary, '$.issues.all') AS found WHERE {THIS} ORDER BY 1""",
    "setup": f"""
SELECT {summary("setup.restSentDelay")} AS "request sent (L1)", {POST_DIAL} AS "post-dial delay (L2)",
    {summary("setup.ringTime")} AS "ringing, from then (L3)", {summary("setup.answerDelay")} AS "answered (L4)",
    {summary("setup.iceConnectTime")} AS "ICE connected (L5)",
    {summary("setup.mediaSetup")} AS "answer to ICE (L6)", {summary("setup.firstMediaBy")} AS "first media by (L8)"
FROM record WHERE {THIS}""",
    "told": f"""
SELECT time / 1000.0 AS at, action, type, members FROM event WHERE {OF_THIS} ORDER BY time, rank LIMIT 1000""",
    "other_ends": f"""
SELECT {ROW} FROM record
WHERE tenant = ${{tenant:sqlstring}} AND callId = ${{call:sqlstring}} ORDER BY record.start, observer LIMIT 100""",
}

# Annotations of one call: name, colour, query, whether they are drawn from the start.
MARKS = [
    ("Events", "blue", f"""
SELECT time / 1000.0 AS time, type AS text, action AS tags FROM event
WHERE {OF_THIS} AND action <> 'sip' ORDER BY time, rank LIMIT 500""", True),
    ("Issues", "red", f"""
SELECT (found.value ->> '$.span.start') / 1000.0 AS time, (found.value ->> '$.span.end') / 1000.0 AS timeEnd,
    (found.value ->> '$.kind') || coalesce(', ' || (found.value ->> '$.cause'), '') AS text,
    found.value ->> '$.severity' AS tags
FROM record, json_each(summary, '$.issues.all') AS found WHERE {THIS} ORDER BY 1""", True),
    ("ICE and addresses", "purple", f"""
SELECT (change.value ->> '$.start') / 1000.0 AS time,
    coalesce(change.value ->> '$.end', change.value ->> '$.start') / 1000.0 AS timeEnd,
    'ICE lost the path' AS text, 'ice' AS tags
FROM record, json_each(summary, '$.iceDisconnects') AS change WHERE {THIS}
UNION ALL
SELECT (change.value ->> '$.start') / 1000.0,
    coalesce(change.value ->> '$.end', change.value ->> '$.start') / 1000.0, 'the address changed', 'ip'
FROM record, json_each(summary, '$.ipChanges') AS change WHERE {THIS}
ORDER BY 1""", True),
    ("On hold", "yellow", f"""
SELECT (hold.value ->> '$.span.start') / 1000.0 AS time, (hold.value ->> '$.span.end') / 1000.0 AS timeEnd,
    'on hold' AS text, 'hold' AS tags
FROM record, json_each(summary, '$.holds') AS hold WHERE {THIS} ORDER BY 1""", True),
    ("SIP", "semi-dark-blue", f"""
SELECT time / 1000.0 AS time, type AS text, 'sip' AS tags FROM event
WHERE {OF_THIS} AND action = 'sip' ORDER BY time, rank LIMIT 500""", False),
]

TENANTS = "SELECT DISTINCT tenant FROM record ORDER BY 1"


def fleet_variables():
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        choice("observer", "Observer", KIND,
               "SELECT DISTINCT observer FROM record WHERE tenant = ${tenant:sqlstring} ORDER BY 1", all_value="'%'"),
    ]


def call_variables():
    of_call = "FROM record WHERE tenant = ${tenant:sqlstring} AND callId = ${call:sqlstring}"
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        box("call", "Call", "The id that the client gave the call."),
        choice("observer", "Observer", KIND, f"SELECT DISTINCT observer {of_call} ORDER BY 1"),
        choice("attempt", "Attempt", KIND,
               f"SELECT DISTINCT CAST(attempt AS TEXT) AS shown {of_call} AND observer = ${{observer:sqlstring}} ORDER BY 1 DESC"),
        choice("record", "Record", KIND, f"SELECT CAST(id AS TEXT) AS shown FROM record WHERE {THIS}", is_hidden=True),
    ]
