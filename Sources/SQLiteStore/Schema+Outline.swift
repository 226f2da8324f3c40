/// Migration 6: what lists and counts of calls go by.
extension Schema {
    static let outlines = """
        CREATE TABLE outline (
            -- derived: a few words of a record's summary, so that thousands are sifted without reading theirs
            recordId INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
            score INTEGER CHECK (score BETWEEN 0 AND 100),
            worstScore INTEGER CHECK (worstScore BETWEEN 0 AND 100),
            outcome TEXT NOT NULL CHECK (outcome IN ('connected', 'notConnected', 'notAnswered', 'unknown')),
            setupMilliseconds INTEGER CHECK (setupMilliseconds >= 0),  -- from the answer to media
            durationMilliseconds INTEGER NOT NULL CHECK (durationMilliseconds >= 0),
            leadingCause TEXT,                                         -- null: none took half a point
            isRelayed INTEGER CHECK (isRelayed IN (0, 1)),             -- null: the path is not known
            codecs TEXT NOT NULL,                                      -- JSON array of MIME types, each once
            issues TEXT NOT NULL                                       -- JSON array of kinds, each once
        ) STRICT;
        """

    /// Migration 8. What was stored before is told when it is folded anew.
    static let clients = """
        ALTER TABLE outline ADD COLUMN client TEXT;                    -- program and version; null: not told
        """

    /// Outlines of records that were stored before.
    static let earlierOutlines = """
        INSERT INTO outline (recordId, score, worstScore, outcome, setupMilliseconds, durationMilliseconds,
            leadingCause, isRelayed, codecs, issues)
        SELECT id, score, worstScore, outcome,
            max(0, coalesce(json_extract(summary, '$.setup.mediaSetup'), json_extract(summary, '$.setup.connectTime'))),
            max(0, coalesce(endedAt, lastActivity) - start),
            (SELECT key FROM json_each(summary, '$.costs') WHERE type IN ('real', 'integer') AND value > 0.5
                ORDER BY value DESC, key LIMIT 1),
            iif(json_extract(summary, '$.path.localType') IS NULL, NULL, 'relay' IN (
                json_extract(summary, '$.path.localType'), coalesce(json_extract(summary, '$.path.remoteType'), ''))),
            (SELECT json_group_array(codec) FROM (SELECT DISTINCT json_extract(value, '$.codec') AS codec
                FROM json_each(summary, '$.streams') WHERE codec IS NOT NULL ORDER BY codec)),
            (SELECT json_group_array(kind) FROM (SELECT DISTINCT json_extract(value, '$.kind') AS kind
                FROM json_each(summary, '$.issues.all') ORDER BY kind))
        FROM record;
        """
}
