"""What the boards ask of a ClickHouse that Sidetone writes to: every name of a table and a column of it stands here.

The SQL is what ClickHouse 18.16 (Debian 12) and today's both take, and so without query parameters. Texts of variables
come in Grafana's format `percentencode` and are decoded by the engine: ClickHouse takes a backslash in a text for an
escape, so quoting as SQL does would let a call id of the right letters end its quotes.
"""
from grafana import box, choice, source

NAME = "ClickHouse"
SUFFIX = "clickhouse"
KIND = "grafana-clickhouse-datasource"
FLEET = "sidetone-calls-clickhouse"
CALL = "sidetone-call-clickhouse"

# The tables, one statement each. A row of the same key with a higher `ver` takes the place of an earlier one.
KEY = "tenant String, call_id String, observer String, attempt UInt32"
TABLES = {
    "calls": f"""
CREATE TABLE IF NOT EXISTS calls (
    {KEY},
    start_ms Int64, last_ms Int64, end_ms Nullable(Int64), outcome String, end_cause String,
    score Nullable(UInt8), score_min Nullable(UInt8), costs Nested(cause String, points Float32),
    post_dial_ms Nullable(Int32), ring_ms Nullable(Int32), answer_ms Nullable(Int32), ice_ms Nullable(Int32),
    media_ms Nullable(Int32), first_media_ms Nullable(Int32), duration_ms Nullable(Int64),
    path String, relayed Nullable(UInt8), deleted UInt8, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(start_ms, 1000), 'UTC'))
ORDER BY (tenant, start_ms, call_id, observer, attempt)""",
    "samples": f"""
CREATE TABLE IF NOT EXISTS samples (
    {KEY},
    ts_ms Int64, dir Enum8('in' = 1, 'out' = 2), kind Enum8('audio' = 1, 'video' = 2), ssrc String,
    interval_ms UInt32, packets UInt32, lost Int32, bytes UInt32,
    jitter_ms Nullable(Float32), rtt_ms Nullable(Float32), jb_ms Nullable(Float32), concealed_pct Nullable(Float32),
    fps Nullable(Float32), frozen_ms Nullable(UInt32), ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, dir, kind, ssrc, ts_ms)""",
    "scores": f"""
CREATE TABLE IF NOT EXISTS scores (
    {KEY},
    ts_ms Int64, score Nullable(UInt8), audio Nullable(UInt8), video Nullable(UInt8), ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, ts_ms)""",
    "events": f"""
CREATE TABLE IF NOT EXISTS events (
    {KEY},
    ts_ms Int64, rank Int32, action String, type String, event_id String, members String, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, ts_ms, rank, action, type, event_id)""",
    "issues": f"""
CREATE TABLE IF NOT EXISTS issues (
    {KEY},
    start_ms Int64, end_ms Int64, kind String, severity String, cause String, stream String, worst Nullable(Float64),
    unit String, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(start_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, start_ms, kind, stream)""",
}


def target(sql, series=False):
    return {
        "refId": "A", "datasource": source(KIND), "editorType": "sql", "queryType": "timeseries" if series else "table",
        "format": 0 if series else 1, "rawSql": sql,
    }


def targets(panel):
    sql = QUERIES.get(panel.key)
    return [target(sql, series=panel.kind == "timeseries")] if sql else None


def variable(name):
    """The text of a variable, whatever letters it has."""
    return f"decodeURLComponent('${{{name}:percentencode}}')"


TENANT = f"tenant = {variable('tenant')}"
CHOSEN = f"""{TENANT} AND deleted = 0 AND start_ms >= $__from AND start_ms < $__to
    AND observer LIKE {variable('observer')}"""
THIS = f"""{TENANT} AND call_id = {variable('call')}
    AND observer = {variable('observer')} AND toString(attempt) = {variable('attempt')}"""

SPAN = "intDiv(start_ms, $__interval_ms)"
SPAN_TIME = f"toDateTime(intDiv({SPAN} * $__interval_ms, 1000))"
STREAM = "concat(toString(dir), ' ', toString(kind), ' ', ssrc)"
TOP_CAUSE = "arrayElement(arraySort((name, lost) -> -lost, costs.cause, costs.points), 1)"


def time(column):
    return f"toDateTime(intDiv({column}, 1000))"


def percentile(share, figure):
    return (f"SELECT quantileExact({share / 100})(assumeNotNull({figure})) AS value FROM calls FINAL "
            f"WHERE {CHOSEN} AND {figure} IS NOT NULL")


def percentiles_over_time(parts):
    shown = ",\n    ".join(
        f"if(countIf({figure} IS NOT NULL) = 0, NULL, quantileExactIf({share / 100})(assumeNotNull({figure}), "
        f"{figure} IS NOT NULL)) AS \"{name}\"" for name, share, figure in parts)
    return f"""
SELECT {SPAN_TIME} AS time,
    {shown}
FROM calls FINAL WHERE {CHOSEN} GROUP BY time ORDER BY time"""


def of_sample(figure, condition=None):
    return f"""
SELECT {time("ts_ms")} AS time, {STREAM} AS stream, {figure} AS value
FROM samples FINAL WHERE {THIS} AND {condition or figure + " IS NOT NULL"} ORDER BY ts_ms, stream"""


ROW = f"""call_id AS call, observer, toString(attempt) AS attempt, {time("start_ms")} AS start, score,
    score_min AS worst, {TOP_CAUSE} AS "cost most", outcome, end_cause AS "end",
    duration_ms / 1000 AS duration, post_dial_ms AS "post-dial delay",
    toString(start_ms - 10000) AS "from", toString(last_ms + 10000) AS "to\""""

BANDS = """countIf(score < 60) AS bad, countIf(score >= 60 AND score < 70) AS poor,
    countIf(score >= 70 AND score < 80) AS fair, countIf(score >= 80 AND score < 90) AS good,
    countIf(score >= 90) AS excellent"""

QUERIES = {
    # All calls.
    "calls": f"SELECT uniqExact(call_id, attempt) AS calls FROM calls FINAL WHERE {CHOSEN}",
    "median": percentile(50, "score"),
    "bad_stretch": f"SELECT avg(assumeNotNull(score_min) < 70) AS share FROM calls FINAL "
                   f"WHERE {CHOSEN} AND score_min IS NOT NULL",
    "failed": f"SELECT avg(outcome IN ('notConnected', 'notAnswered')) AS share FROM calls FINAL WHERE {CHOSEN}",
    "post_dial": percentile(95, "post_dial_ms"),
    "relayed": f"SELECT avg(assumeNotNull(relayed)) AS share FROM calls FINAL WHERE {CHOSEN} AND relayed IS NOT NULL",
    "score_over_time": percentiles_over_time([("p5", 5, "score"), ("p50", 50, "score"), ("p95", 95, "score")]),
    "bands_over_time": f"""
SELECT {SPAN_TIME} AS time, {BANDS}
FROM calls FINAL WHERE {CHOSEN} AND score IS NOT NULL GROUP BY time ORDER BY time""",
    "scores": f"""
SELECT if(tens >= 9, '90 to 100', concat(toString(tens * 10), ' to ', toString(tens * 10 + 9))) AS score, records
FROM (
    SELECT least(intDiv(assumeNotNull(score), 10), 9) AS tens, count() AS records
    FROM calls FINAL WHERE {CHOSEN} AND score IS NOT NULL GROUP BY tens)
ORDER BY tens""",
    "causes": f"""
SELECT {TOP_CAUSE} AS cause, count() AS records
FROM calls FINAL WHERE {CHOSEN} AND score < 80 AND notEmpty(costs.cause) GROUP BY cause ORDER BY records DESC, cause""",
    "issues": f"""
SELECT kind AS issue, uniqExact(call_id, observer, attempt) AS records
FROM issues FINAL WHERE (call_id, observer, attempt) IN (
    SELECT call_id, observer, attempt FROM calls FINAL WHERE {CHOSEN})
    AND {TENANT} GROUP BY issue ORDER BY records DESC, issue LIMIT 12""",
    "setup_over_time": percentiles_over_time([
        ("post-dial delay", 95, "post_dial_ms"), ("answer to connected", 95, "media_ms"),
        ("first media", 95, "first_media_ms")]),
    "ends": f"""
SELECT if(end_cause <> '', end_cause, if(end_ms IS NULL, 'going on or silent', 'unknown')) AS "end",
    count() AS records
FROM calls FINAL WHERE {CHOSEN} GROUP BY "end" ORDER BY records DESC, "end\"""",
    "worst_calls": f"""
SELECT {ROW}
FROM calls FINAL WHERE {CHOSEN} AND score_min IS NOT NULL ORDER BY worst, score, call, observer LIMIT 50""",
    "failed_calls": f"""
SELECT {ROW}
FROM calls FINAL WHERE {CHOSEN} AND outcome IN ('notConnected', 'notAnswered') ORDER BY start_ms DESC LIMIT 50""",

    # One call.
    "score": f"SELECT score FROM calls FINAL WHERE {THIS}",
    "worst": f"SELECT score_min AS score FROM calls FINAL WHERE {THIS}",
    "outcome": f"SELECT if(end_cause = '', outcome, concat(outcome, ', ', end_cause)) AS shown "
               f"FROM calls FINAL WHERE {THIS}",
    "duration": f"SELECT duration_ms / 1000 AS seconds FROM calls FINAL WHERE {THIS}",
    "path": f"SELECT if(path = '', 'not known', path) AS shown FROM calls FINAL WHERE {THIS}",
    "live": f"""
SELECT {time("ts_ms")} AS time, score AS "all", audio, video
FROM scores FINAL WHERE {THIS} ORDER BY time""",
    "costs": f"""
SELECT cause, points FROM (SELECT costs.cause, costs.points FROM calls FINAL WHERE {THIS})
ARRAY JOIN costs.cause AS cause, costs.points AS points ORDER BY points DESC""",
    "loss": of_sample("greatest(lost, 0) * 100 / (packets + greatest(lost, 0))", "packets + greatest(lost, 0) > 0"),
    "concealed": of_sample("concealed_pct"),
    "jitter": of_sample("jitter_ms"),
    "round_trip": of_sample("rtt_ms"),
    "buffer": of_sample("jb_ms"),
    "bitrate": of_sample("bytes * 8 / interval_ms", "interval_ms > 0"),
    "frames": of_sample("fps"),
    "frozen": of_sample("frozen_ms / 1000", "frozen_ms IS NOT NULL"),
    "streams": f"""
SELECT {STREAM} AS stream, sum(packets) AS received, sum(lost) AS gone,
    greatest(gone, 0) * 100 / (received + greatest(gone, 0)) AS loss, avg(concealed_pct) AS concealed,
    avg(jitter_ms) AS jitter, max(jitter_ms) AS "most jitter", avg(rtt_ms) AS "round trip",
    sum(bytes) * 8 / sum(interval_ms) AS "bit rate"
FROM samples FINAL WHERE {THIS} GROUP BY stream ORDER BY stream""",
    "found": f"""
SELECT {time("start_ms")} AS at, kind AS issue, severity, (end_ms - start_ms) / 1000 AS lasted,
    concat(toString(round(worst, 1)), ' ', unit) AS worst_figure, cause, stream
FROM issues FINAL WHERE {THIS} ORDER BY start_ms""",
    "setup": f"""
SELECT post_dial_ms AS "post-dial delay (L2)", ring_ms AS "ringing, from then (L3)", answer_ms AS "answered (L4)",
    ice_ms AS "ICE connected (L5)", media_ms AS "answer to ICE (L6)", first_media_ms AS "first media by (L8)"
FROM calls FINAL WHERE {THIS}""",
    "told": f"""
SELECT {time("ts_ms")} AS at, action, type, members
FROM events FINAL WHERE {THIS} ORDER BY ts_ms, rank LIMIT 1000""",
    "other_ends": f"""
SELECT {ROW}
FROM calls FINAL WHERE {TENANT} AND call_id = {variable('call')} ORDER BY start_ms, observer LIMIT 100""",
}

# Annotations of one call: name, colour, query, whether they are drawn from the start.
MARKS = [
    ("Events", "blue", f"""
SELECT {time("ts_ms")} AS time, type AS text, action AS tags
FROM events FINAL WHERE {THIS} AND action <> 'sip' ORDER BY ts_ms, rank LIMIT 500""", True),
    ("Issues", "red", f"""
SELECT {time("start_ms")} AS time, {time("end_ms")} AS timeEnd,
    if(cause = '', kind, concat(kind, ', ', cause)) AS text, severity AS tags
FROM issues FINAL WHERE {THIS} ORDER BY start_ms""", True),
    ("ICE and addresses", "purple", f"""
SELECT {time("start_ms")} AS time, {time("end_ms")} AS timeEnd, kind AS text, 'path' AS tags
FROM issues FINAL WHERE {THIS} AND kind IN ('iceDisconnected', 'ipChange', 'pathChange') ORDER BY start_ms""", True),
    ("SIP", "semi-dark-blue", f"""
SELECT {time("ts_ms")} AS time, type AS text, 'sip' AS tags
FROM events FINAL WHERE {THIS} AND action = 'sip' ORDER BY ts_ms, rank LIMIT 500""", False),
]

TENANTS = "SELECT DISTINCT tenant FROM calls ORDER BY tenant"


def fleet_variables():
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        # "%25" is "%" once decoded, which LIKE takes for any text.
        choice("observer", "Observer", KIND, f"SELECT DISTINCT observer FROM calls WHERE {TENANT} ORDER BY observer",
               all_value="%25"),
    ]


def call_variables():
    of_call = f"FROM calls WHERE {TENANT} AND call_id = {variable('call')}"
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        box("call", "Call", "The id that the client gave the call."),
        choice("observer", "Observer", KIND, f"SELECT DISTINCT observer {of_call} ORDER BY observer"),
        choice("attempt", "Attempt", KIND,
               f"SELECT DISTINCT toString(attempt) AS attempt_text {of_call} AND observer = {variable('observer')} "
               "ORDER BY attempt_text DESC"),
    ]
