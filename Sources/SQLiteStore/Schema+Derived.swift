/// Migration 9: what one commit derived is one row.
///
/// Who asks in SQL finds the same columns as before in views of the names that the tables had.
extension Schema {
    static let derived = """
        CREATE TABLE derived (
            -- derived: the intervals and scores that one commit completed; of two for one place the later row's counts
            id INTEGER PRIMARY KEY,
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            first INTEGER NOT NULL,  -- ms, least end of an interval or start of a score
            last INTEGER NOT NULL,   -- ms, greatest
            content TEXT NOT NULL,   -- JSON object {metrics, intervals, scores}; the views below name what is in it
            CHECK (last >= first)
        ) STRICT;
        CREATE INDEX derived_span ON derived (recordId, last, first);
        """

    /// Rows that were there stay, until their record is derived anew.
    static let derivedViews = """
        ALTER TABLE interval RENAME TO earlierInterval;
        ALTER TABLE score RENAME TO earlierScore;
        CREATE VIEW interval AS
        SELECT recordId, time, direction, kind, connection, source, start, segment, heldSeconds, packets, packetsLost,
            packetsDiscarded, concealmentEvents, frameWidth, frameHeight, freezeCount, lossPercent,
            bitrateKilobitsPerSecond, jitterMilliseconds, roundTripMilliseconds, concealedPercent,
            silentConcealedPercent, stretchedPercent, jitterBufferMilliseconds, audioLevelDecibels, framesPerSecond,
            frozenSeconds, meanQuantizer, targetKilobitsPerSecond, cpuLimitedPercent, bandwidthLimitedPercent,
            metrics
        FROM earlierInterval
        UNION ALL SELECT derived.recordId,
            json_extract(found.value, '$[0]') AS time,
            json_extract(found.value, '$[1]') AS direction,
            json_extract(found.value, '$[2]') AS kind,
            json_extract(found.value, '$[3]') AS connection,
            json_extract(found.value, '$[4]') AS source,
            json_extract(found.value, '$[5]') AS start,
            json_extract(found.value, '$[6]') AS segment,
            CAST(json_extract(found.value, '$[7]') AS REAL) AS heldSeconds,
            json_extract(found.value, '$[8]') AS packets,
            json_extract(found.value, '$[9]') AS packetsLost,
            json_extract(found.value, '$[10]') AS packetsDiscarded,
            json_extract(found.value, '$[11]') AS concealmentEvents,
            json_extract(found.value, '$[12]') AS frameWidth,
            json_extract(found.value, '$[13]') AS frameHeight,
            json_extract(found.value, '$[14]') AS freezeCount,
            CAST(json_extract(found.value, '$[15]') AS REAL) AS lossPercent,
            CAST(json_extract(found.value, '$[16]') AS REAL) AS bitrateKilobitsPerSecond,
            CAST(json_extract(found.value, '$[17]') AS REAL) AS jitterMilliseconds,
            CAST(json_extract(found.value, '$[18]') AS REAL) AS roundTripMilliseconds,
            CAST(json_extract(found.value, '$[19]') AS REAL) AS concealedPercent,
            CAST(json_extract(found.value, '$[20]') AS REAL) AS silentConcealedPercent,
            CAST(json_extract(found.value, '$[21]') AS REAL) AS stretchedPercent,
            CAST(json_extract(found.value, '$[22]') AS REAL) AS jitterBufferMilliseconds,
            CAST(json_extract(found.value, '$[23]') AS REAL) AS audioLevelDecibels,
            CAST(json_extract(found.value, '$[24]') AS REAL) AS framesPerSecond,
            CAST(json_extract(found.value, '$[25]') AS REAL) AS frozenSeconds,
            CAST(json_extract(found.value, '$[26]') AS REAL) AS meanQuantizer,
            CAST(json_extract(found.value, '$[27]') AS REAL) AS targetKilobitsPerSecond,
            CAST(json_extract(found.value, '$[28]') AS REAL) AS cpuLimitedPercent,
            CAST(json_extract(found.value, '$[29]') AS REAL) AS bandwidthLimitedPercent,
            (SELECT json_group_object(metric.value, figure.value)
                FROM json_each(derived.content, '$.metrics') AS metric, json_each(found.value, '$[30]') AS figure
                WHERE figure.key = metric.key AND figure.value IS NOT NULL) AS metrics
        FROM derived, json_each(derived.content, '$.intervals') AS found;
        CREATE VIEW score AS
        SELECT recordId, series, start, time, score, audioScore, videoScore, costs, absence, missing, heldSeconds, isEmitted,
            rating
        FROM earlierScore
        UNION ALL SELECT derived.recordId,
            json_extract(found.value, '$[0]') AS series,
            json_extract(found.value, '$[1]') AS start,
            json_extract(found.value, '$[2]') AS time,
            json_extract(found.value, '$[3]') AS score,
            json_extract(found.value, '$[4]') AS audioScore,
            json_extract(found.value, '$[5]') AS videoScore,
            json_extract(found.value, '$[6]') AS costs,
            json_extract(found.value, '$[7]') AS absence,
            json_extract(found.value, '$[8]') AS missing,
            json_extract(found.value, '$[9]') AS heldSeconds,
            json_extract(found.value, '$[10]') AS isEmitted,
            iif(json_extract(found.value, '$[11]') IS NULL, NULL, json_object(
                'band', json_extract(found.value, '$[11][0]'),
                'rFactor', json_extract(found.value, '$[11][1]'),
                'listeningRFactor', json_extract(found.value, '$[11][2]'),
                'mosLQ', json_extract(found.value, '$[11][3]'),
                'mosCQ', json_extract(found.value, '$[11][4]'),
                'codecRow', json_extract(found.value, '$[11][5]'),
                'isEstimate', json(iif(json_extract(found.value, '$[11][6]'), 'true', 'false')),
                'equipmentImpairment', json_extract(found.value, '$[11][7]'),
                'lossRobustness', json_extract(found.value, '$[11][8]'),
                'lossPercent', json_extract(found.value, '$[11][9]'),
                'burstRatio', json_extract(found.value, '$[11][10]'),
                'oneWayDelayMilliseconds', json_extract(found.value, '$[11][11]'))) AS rating
        FROM derived, json_each(derived.content, '$.scores') AS found;
        """
}
