"""What the boards ask of the ClickHouse database that `sidetone serve --store` ships to: Sources/ClickHouseStore/Schema.

The SQL is what ClickHouse 18.16 (Debian 12) and today's both take, and so without query parameters. Texts of variables
come in Grafana's format `percentencode` and are decoded by the engine: ClickHouse takes a backslash in a text for an
escape, so quoting as SQL does would let a call id of the right letters end its quotes.

What stands: of rows of one key the latest, which is what FINAL leaves; of records those that did not go; of the rest what
belongs to such a record, derived rows of its generation only. On a cluster each table is one over all shards, so what is
asked within a query is asked once, by GLOBAL.
"""
from clickhouse_json import nested, number, objects, own, whole, word
from grafana import box, choice, source

NAME = "ClickHouse"
SUFFIX = "clickhouse"
KIND = "grafana-clickhouse-datasource"
FLEET = "sidetone-calls-clickhouse"
CALL = "sidetone-call-clickhouse"


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

# Records of calls that began in the chosen time; what was told under the id of a session that calls claim is no call.
CHOSEN = f"""{TENANT} AND deleted = 0 AND start_ms >= $__from AND start_ms < $__to
    AND observer LIKE {variable('observer')}
    AND (stands_alone = 1 OR call_id GLOBAL NOT IN (
        SELECT session FROM claims FINAL WHERE {TENANT} AND deleted = 0))"""

# The one record that is looked at, and what hangs on it.
KEY = f"""{TENANT} AND call_id = {variable('call')}
    AND observer = {variable('observer')} AND toString(attempt) = {variable('attempt')}"""
THIS = f"{KEY} AND deleted = 0"
DERIVED = f"{KEY} AND generation GLOBAL IN (SELECT generation FROM records FINAL WHERE {THIS})"
# Reports and what probes saw are facts, too.
EVENTS = f"""{KEY} AND gone = 0 AND rank NOT IN (100, 101)
    AND call_id GLOBAL IN (SELECT call_id FROM records FINAL WHERE {THIS})"""

SPAN = "intDiv(start_ms, $__interval_ms)"
SPAN_TIME = f"toDateTime(intDiv({SPAN} * $__interval_ms, 1000))"


def time(column):
    return f"toDateTime(intDiv({column}, 1000))"


def stream(direction, kind, name):
    return f"concat(if({direction} = 'inbound', 'in ', 'out '), {kind}, ' ', {name})"


STREAM = stream("direction", "kind", "source")


def percentile(share, figure):
    """One percentile of those that are known: the value that so many of a hundred lie below."""
    return f"SELECT quantileExact({share / 100})({figure}) AS value FROM records FINAL WHERE {CHOSEN}"


def percentiles_over_time(parts):
    """Percentiles of each span of time: (name, share, figure)."""
    shown = ",\n    ".join(f'quantileExact({share / 100})({figure}) AS "{name}"' for name, share, figure in parts)
    return f"""
SELECT {SPAN_TIME} AS time,
    {shown}
FROM records FINAL WHERE {CHOSEN} GROUP BY time ORDER BY time"""


def of_sample(figure):
    return f"""
SELECT {time("end_ms")} AS time, {STREAM} AS stream, {figure} AS value
FROM samples FINAL WHERE {DERIVED} AND {figure} IS NOT NULL ORDER BY end_ms, stream"""


def each(array):
    """The objects of an array of the record, in their order, as `found`."""
    return f"""(
    SELECT found, place FROM (SELECT {objects(array)} AS list FROM records FINAL WHERE {THIS})
    ARRAY JOIN list AS found, arrayEnumerate(list) AS place)"""


def start_and_end(found="found"):
    """Columns of a span of time; one that has not ended is a moment."""
    start, end = whole(found, "start"), whole(found, "end")
    return (f"{time(f'assumeNotNull({start})')} AS time, "
            f"{time(f'assumeNotNull(ifNull({end}, {start}))')} AS timeEnd")


def spans(array, text, tags):
    """Annotations of an array of spans."""
    return f"""
SELECT {start_and_end()},
    '{text}' AS text, '{tags}' AS tags
FROM {each(nested("summary", array))}"""


POST_DIAL = whole("summary", "postDialDelay")
DURATION = f"{whole('summary', 'callDuration')} / 1000"
END = word("summary", "endCause")
# What became of a call: of one that rings and was heard of within 90 s, nothing yet (CallSummary.outcome(isLive:)).
OUTCOME = """if(outcome = 'notAnswered' AND end_ms IS NULL
    AND received_ms > toInt64(toUnixTimestamp(now())) * 1000 - 90000, 'unknown', outcome)"""
# Whether an event ended it: that its probe stopped to watch is told after all else.
ENDED = "ifNull(end_ms <= last_ms, 0)"
FAILED = f"{OUTCOME} IN ('notConnected', 'notAnswered')"
# Issues are all in an array of that name, which is no other's.
ISSUES = nested("summary", "all")
CAUSE = word("found", "cause")
WORST, OF_STREAM = nested("found", "worst"), nested("found", "stream")

# What a row of a table says of a record; `from` and `to` are where its board looks.
ROW = f"""call_id AS call, observer, toString(attempt) AS attempt, {time("start_ms")} AS start, score,
    worst_score AS worst, leading_cause AS "cost most", {OUTCOME} AS result, {END} AS "end",
    {DURATION} AS duration, {POST_DIAL} AS "post-dial delay",
    toString(start_ms - 10000) AS "from", toString(last_ms + 10000) AS "to\""""

BANDS = """countIf(score < 60) AS bad, countIf(score >= 60 AND score < 70) AS poor,
    countIf(score >= 70 AND score < 80) AS fair, countIf(score >= 80 AND score < 90) AS good,
    countIf(score >= 90) AS excellent"""

QUERIES = {
    # All calls.
    "calls": f"SELECT uniqExact(call_id, attempt) AS calls FROM records FINAL WHERE {CHOSEN}",
    "median": percentile(50, "score"),
    "bad_stretch": f"SELECT avg(worst_score < 70) AS share FROM records FINAL WHERE {CHOSEN} AND worst_score IS NOT NULL",
    "failed": f"SELECT avg({FAILED}) AS share FROM records FINAL WHERE {CHOSEN}",
    "post_dial": percentile(95, POST_DIAL),
    "relayed": f"""
SELECT avg(position(ways, '"relay":') > 0) AS share
FROM (SELECT {nested("summary", "secondsByKind")} AS ways FROM records FINAL WHERE {CHOSEN})
WHERE ways NOT IN ('', '{{}}')""",
    "score_over_time": percentiles_over_time([("p5", 5, "score"), ("p50", 50, "score"), ("p95", 95, "score")]),
    "bands_over_time": f"""
SELECT {SPAN_TIME} AS time, {BANDS}
FROM records FINAL WHERE {CHOSEN} AND score IS NOT NULL GROUP BY time ORDER BY time""",
    "scores": f"""
SELECT if(tens >= 9, '90 to 100', concat(toString(tens * 10), ' to ', toString(tens * 10 + 9))) AS score, records
FROM (
    SELECT least(intDiv(assumeNotNull(score), 10), 9) AS tens, count() AS records
    FROM records FINAL WHERE {CHOSEN} AND score IS NOT NULL GROUP BY tens)
ORDER BY tens""",
    "causes": f"""
SELECT leading_cause AS cause, count() AS records
FROM records FINAL WHERE {CHOSEN} AND score < 80 AND leading_cause <> '' GROUP BY cause ORDER BY records DESC, cause""",
    "issues": f"""
SELECT arrayJoin(issues) AS issue, count() AS records
FROM records FINAL WHERE {CHOSEN} GROUP BY issue ORDER BY records DESC, issue LIMIT 12""",
    "setup_over_time": percentiles_over_time([
        ("post-dial delay", 95, POST_DIAL), ("answer to connected", 95, whole("summary", "mediaSetup")),
        ("first media", 95, whole("summary", "firstMediaBy"))]),
    "ends": f"""
SELECT if({END} <> '', {END}, if({ENDED}, 'unknown', 'going on or silent')) AS "end", count() AS records
FROM records FINAL WHERE {CHOSEN} GROUP BY "end" ORDER BY records DESC, "end\"""",
    "worst_calls": f"""
SELECT {ROW}
FROM records FINAL WHERE {CHOSEN} AND worst_score IS NOT NULL ORDER BY worst, score, call, observer LIMIT 50""",
    "failed_calls": f"""
SELECT {ROW}
FROM records FINAL WHERE {CHOSEN} AND {FAILED} ORDER BY start_ms DESC LIMIT 50""",

    # One call.
    "score": f"SELECT score FROM records FINAL WHERE {THIS}",
    "worst": f"SELECT worst_score AS score FROM records FINAL WHERE {THIS}",
    "outcome": f"SELECT concat({OUTCOME}, if({END} = '', '', concat(', ', {END}))) AS result FROM records FINAL WHERE {THIS}",
    "duration": f"SELECT {DURATION} AS seconds FROM records FINAL WHERE {THIS}",
    "path": f"""
SELECT concat(if(near = '' OR far = '', 'not known', concat(near, ' – ', far)),
    if(protocol = '', '', concat(', ', protocol))) AS path
FROM (
    SELECT {word("summary", "localType")} AS near, {word("summary", "remoteType")} AS far,
        {word("summary", "transportProtocol")} AS protocol
    FROM records FINAL WHERE {THIS})""",
    "live": f"""
SELECT {time("end_ms")} AS time, score AS "all", audio_score AS audio, video_score AS video
FROM scores FINAL WHERE {DERIVED} AND series = 'live' ORDER BY end_ms""",
    "costs": f"""
SELECT extract(cost, '"(.*)"') AS cause, toFloat64OrNull(extract(cost, ':(.*)')) AS points
FROM (SELECT arrayJoin(extractAll({nested("summary", "costs")}, '"\\\\w+":[^,}}]+')) AS cost FROM records FINAL WHERE {THIS})
ORDER BY points DESC""",
    "phases": f"""
SELECT {time(f"assumeNotNull({whole('found', 'time')})")} AS time, {word("found", "phase")} AS phase
FROM {each(nested("summary", "phases"))} ORDER BY place""",
    "loss": of_sample("loss_percent"),
    "concealed": of_sample("concealed_percent"),
    "jitter": of_sample("jitter_ms"),
    "round_trip": of_sample("round_trip_ms"),
    "buffer": of_sample("jitter_buffer_ms"),
    "bitrate": of_sample("bitrate_kbps"),
    "frames": of_sample("frames_per_second"),
    "frozen": of_sample("frozen_seconds"),
    "streams": f"""
SELECT {stream(word("key", "direction"), word("key", "kind"), word("key", "source"))} AS stream,
    {word("figures", "codec")} AS codec, {whole("figures", "packets")} AS packets,
    {whole("figures", "packetsLost")} AS lost, {number("figures", "lossPercent")} AS loss,
    {number("figures", "concealedPercent")} AS concealed, {number("figures", "jitterMilliseconds")} AS jitter,
    {number("figures", "maximumJitterMilliseconds")} AS "most jitter",
    {number("figures", "roundTripMilliseconds")} AS "round trip",
    {number("figures", "bitrateKilobitsPerSecond")} AS "bit rate",
    {whole("figures", "score")} AS score, {whole("figures", "worstScore")} AS worst
FROM (
    SELECT place, {nested("found", "stream")} AS key, {own("found")} AS figures
    FROM {each(nested("summary", "streams"))})
ORDER BY place""",
    "found": f"""
SELECT {time(f"assumeNotNull({whole('found', 'start')})")} AS at, {word(own("found"), "kind")} AS issue,
    {word("found", "severity")} AS severity,
    ({whole("found", "end")} - {whole("found", "start")}) / 1000 AS lasted,
    concat(replaceRegexpOne(toString(floor({number(WORST, "value")} * 10 + 0.5) / 10), '^(-?[0-9]+)$', '\\\\1.0'), ' ',
        {word(WORST, "unit")}) AS worst,
    {CAUSE} AS cause,
    if({OF_STREAM} = '', '', concat({word("found", "direction")}, ' ', {word(OF_STREAM, "kind")})) AS stream
FROM {each(ISSUES)} ORDER BY {whole('found', 'start')}, place""",
    "setup": f"""
SELECT {whole("summary", "restSentDelay")} AS "request sent (L1)", {POST_DIAL} AS "post-dial delay (L2)",
    {whole("summary", "ringTime")} AS "ringing, from then (L3)", {whole("summary", "answerDelay")} AS "answered (L4)",
    {whole("summary", "iceConnectTime")} AS "ICE connected (L5)", {whole("summary", "mediaSetup")} AS "answer to ICE (L6)",
    {whole("summary", "firstMediaBy")} AS "first media by (L8)"
FROM records FINAL WHERE {THIS}""",
    "told": f"""
SELECT {time("time_ms")} AS at, action, type, argMin(content, received_ms) AS members
FROM facts FINAL WHERE {EVENTS} GROUP BY time_ms, rank, name, action, type ORDER BY time_ms, rank, name LIMIT 1000""",
    "other_ends": f"""
SELECT {ROW}
FROM records FINAL WHERE {TENANT} AND call_id = {variable('call')} AND deleted = 0
ORDER BY start_ms, observer LIMIT 100""",
}

# Annotations of one call: name, colour, query, whether they are drawn from the start.
MARKS = [
    ("Events", "blue", f"""
SELECT {time("time_ms")} AS time, type AS text, action AS tags
FROM facts FINAL WHERE {EVENTS} AND action <> 'sip' GROUP BY time_ms, rank, name, action, type
ORDER BY time_ms, rank, name LIMIT 500""", True),
    ("Issues", "red", f"""
SELECT {start_and_end()},
    concat({word(own("found"), "kind")}, if({CAUSE} = '', '', concat(', ', {CAUSE}))) AS text,
    {word("found", "severity")} AS tags
FROM {each(ISSUES)} ORDER BY {whole('found', 'start')}, place""", True),
    ("ICE and addresses", "purple", f"""
SELECT time, timeEnd, text, tags
FROM ({spans("iceDisconnects", "ICE lost the path", "ice")}
UNION ALL {spans("ipChanges", "the address changed", "ip")})
ORDER BY time""", True),
    ("On hold", "yellow", f"""{spans("holds", "on hold", "hold")} ORDER BY time""", True),
    ("SIP", "semi-dark-blue", f"""
SELECT {time("time_ms")} AS time, type AS text, 'sip' AS tags
FROM facts FINAL WHERE {EVENTS} AND action = 'sip' GROUP BY time_ms, rank, name, type
ORDER BY time_ms, rank, name LIMIT 500""", False),
]

TENANTS = "SELECT DISTINCT tenant FROM records FINAL WHERE deleted = 0 ORDER BY tenant"


def fleet_variables():
    observers = f"SELECT DISTINCT observer FROM records FINAL WHERE {TENANT} AND deleted = 0 ORDER BY observer"
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        # "%25" is "%" once decoded, which LIKE takes for any text.
        choice("observer", "Observer", KIND, observers, all_value="%25"),
    ]


def call_variables():
    of_call = f"FROM records FINAL WHERE {TENANT} AND call_id = {variable('call')} AND deleted = 0"
    return [
        choice("tenant", "Tenant", KIND, TENANTS),
        box("call", "Call", "The id that the client gave the call."),
        choice("observer", "Observer", KIND, f"SELECT DISTINCT observer {of_call} ORDER BY observer"),
        choice("attempt", "Attempt", KIND,
               f"SELECT DISTINCT toString(attempt) AS shown {of_call} AND observer = {variable('observer')} "
               "ORDER BY shown DESC"),
    ]
