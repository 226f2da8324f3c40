-- Made by Scripts/dashboards: change it there.
-- The tables that the boards of ClickHouse read.
CREATE TABLE IF NOT EXISTS calls (
    tenant String, call_id String, observer String, attempt UInt32,
    start_ms Int64, last_ms Int64, end_ms Nullable(Int64), outcome String, end_cause String,
    score Nullable(UInt8), score_min Nullable(UInt8), costs Nested(cause String, points Float32),
    post_dial_ms Nullable(Int32), ring_ms Nullable(Int32), answer_ms Nullable(Int32), ice_ms Nullable(Int32),
    media_ms Nullable(Int32), first_media_ms Nullable(Int32), duration_ms Nullable(Int64),
    path String, relayed Nullable(UInt8), deleted UInt8, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(start_ms, 1000), 'UTC'))
ORDER BY (tenant, start_ms, call_id, observer, attempt);
CREATE TABLE IF NOT EXISTS samples (
    tenant String, call_id String, observer String, attempt UInt32,
    ts_ms Int64, dir Enum8('in' = 1, 'out' = 2), kind Enum8('audio' = 1, 'video' = 2), ssrc String,
    interval_ms UInt32, packets UInt32, lost Int32, bytes UInt32,
    jitter_ms Nullable(Float32), rtt_ms Nullable(Float32), jb_ms Nullable(Float32), concealed_pct Nullable(Float32),
    fps Nullable(Float32), frozen_ms Nullable(UInt32), ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, dir, kind, ssrc, ts_ms);
CREATE TABLE IF NOT EXISTS scores (
    tenant String, call_id String, observer String, attempt UInt32,
    ts_ms Int64, score Nullable(UInt8), audio Nullable(UInt8), video Nullable(UInt8), ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, ts_ms);
CREATE TABLE IF NOT EXISTS events (
    tenant String, call_id String, observer String, attempt UInt32,
    ts_ms Int64, rank Int32, action String, type String, event_id String, members String, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, ts_ms, rank, action, type, event_id);
CREATE TABLE IF NOT EXISTS issues (
    tenant String, call_id String, observer String, attempt UInt32,
    start_ms Int64, end_ms Int64, kind String, severity String, cause String, stream String, worst Nullable(Float64),
    unit String, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
PARTITION BY toYYYYMMDD(toDateTime(intDiv(start_ms, 1000), 'UTC'))
ORDER BY (tenant, call_id, observer, attempt, start_ms, kind, stream);
