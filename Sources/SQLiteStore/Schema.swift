import GRDB

/// The tables and their history.
///
/// Migrations are append-only: one that has shipped is never edited, and none mentions a Swift type that may change.
/// Times are whole milliseconds since 1970-01-01T00:00:00Z. A call is all records with one (tenant, callId, attempt).
enum Schema {
    /// Marks a file as ours (`PRAGMA application_id`): "SDTN".
    static let applicationID: Int32 = 0x5344_544E

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 records, facts, derived rows and tombstones") { db in
            try db.execute(sql: "PRAGMA application_id = 1396986958")
            try db.execute(sql: records)
            try db.execute(sql: facts)
            try db.execute(sql: intervals)
            try db.execute(sql: scores)
            try db.execute(sql: tombstones)
        }
        migrator.registerMigration("2 names and sessions") { db in
            try db.execute(sql: identity)
            try db.execute(sql: earlierClaims)
        }
        migrator.registerMigration("3 wire reports where there are none") { db in
            try db.execute(sql: wireReports)
        }
        migrator.registerMigration("4 transmission ratings") { db in
            try db.execute(sql: ratings)
        }
        migrator.registerMigration("5 folds apart from records") { db in
            try db.execute(sql: folds)
        }
        migrator.registerMigration("6 outlines") { db in
            try db.execute(sql: outlines)
            try db.execute(sql: earlierOutlines)
        }
        migrator.registerMigration("7 outbox") { db in
            try db.execute(sql: outbox)
        }
        migrator.registerMigration("8 clients") { db in
            try db.execute(sql: clients)
        }
        migrator.registerMigration("9 derived rows by commits") { db in
            try db.execute(sql: derived)
            try db.execute(sql: derivedViews)
        }
        return migrator
    }

    private static let records = """
        CREATE TABLE record (
            -- what one observer knows of one attempt of a call
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            tenant TEXT NOT NULL,
            callId TEXT NOT NULL CHECK (callId <> ''),
            observer TEXT NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            start INTEGER NOT NULL,           -- ms, client's clock
            lastActivity INTEGER NOT NULL,    -- ms, client's clock
            lastReceivedAt INTEGER NOT NULL,  -- ms, collector's clock
            endedAt INTEGER,                  -- ms, client's clock; null while nothing ended the call
            score INTEGER CHECK (score BETWEEN 0 AND 100),
            worstScore INTEGER CHECK (worstScore BETWEEN 0 AND 100),
            outcome TEXT NOT NULL CHECK (outcome IN ('connected', 'notConnected', 'notAnswered', 'unknown')),
            isDirty INTEGER NOT NULL CHECK (isDirty IN (0, 1)),
            rulesVersion INTEGER NOT NULL,
            summary TEXT NOT NULL,            -- JSON object
            session BLOB NOT NULL,            -- the fold, opaque
            CHECK (lastActivity >= start),
            UNIQUE (tenant, callId, attempt, observer)
        ) STRICT;
        CREATE INDEX record_activity ON record (tenant, callId, attempt, lastReceivedAt, endedAt);
        CREATE INDEX record_start ON record (tenant, start, id);
        CREATE INDEX record_worst ON record (tenant, coalesce(score, 101), id);
        CREATE INDEX record_best ON record (tenant, coalesce(score, -1), id);
        CREATE INDEX record_dirty ON record (lastReceivedAt, id) WHERE isDirty = 1;
        """

    private static let facts = """
        CREATE TABLE report (
            -- facts: what one getStats() call returned
            id INTEGER PRIMARY KEY,
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            time INTEGER NOT NULL,        -- ms, client's clock
            connection TEXT NOT NULL,
            receivedAt INTEGER NOT NULL,  -- ms, collector's clock
            objects BLOB NOT NULL,        -- zlib (RFC 1950) of a JSON array of {id, type, timestamp, members}
            conflicts TEXT NOT NULL,      -- JSON array of [type, id]
            notes TEXT NOT NULL,          -- JSON array of text
            UNIQUE (recordId, time, connection)
        ) STRICT;
        CREATE TABLE event (
            -- facts: what a client told as it happened
            id INTEGER PRIMARY KEY,
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            time INTEGER NOT NULL,        -- ms, client's clock
            rank INTEGER NOT NULL,        -- order among events of one millisecond
            action TEXT NOT NULL,
            type TEXT NOT NULL,
            sequence INTEGER,             -- the sender's running number; null when it gave none
            name TEXT NOT NULL GENERATED ALWAYS AS
                (action || char(1) || type || char(1) || coalesce(CAST(sequence AS TEXT), '')) VIRTUAL,
            receivedAt INTEGER NOT NULL,  -- ms, collector's clock
            members TEXT NOT NULL,        -- JSON object
            isContradicted INTEGER NOT NULL CHECK (isContradicted IN (0, 1))
        ) STRICT;
        CREATE UNIQUE INDEX event_key ON event (recordId, time, rank, name);
        CREATE TABLE wireReport (
            -- facts: what a probe had seen of the media up to a moment
            id INTEGER PRIMARY KEY,
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            time INTEGER NOT NULL,        -- ms, probe's clock
            receivedAt INTEGER NOT NULL,  -- ms, collector's clock
            content BLOB NOT NULL,        -- zlib (RFC 1950) of a JSON object {streams, sensor, audioPacketsSent}
            isContradicted INTEGER NOT NULL CHECK (isContradicted IN (0, 1)),
            UNIQUE (recordId, time)
        ) STRICT;
        """

    /// Migration 1 made this table only from the second version on.
    private static let wireReports = """
        CREATE TABLE IF NOT EXISTS wireReport (
            -- facts: what a probe had seen of the media up to a moment
            id INTEGER PRIMARY KEY,
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            time INTEGER NOT NULL,        -- ms, probe's clock
            receivedAt INTEGER NOT NULL,  -- ms, collector's clock
            content BLOB NOT NULL,        -- zlib (RFC 1950) of a JSON object {streams, sensor, audioPacketsSent}
            isContradicted INTEGER NOT NULL CHECK (isContradicted IN (0, 1)),
            UNIQUE (recordId, time)
        ) STRICT;
        """

    private static let intervals = """
        CREATE TABLE interval (
            -- derived: one stream over the span between two of its reports; null is "not known"
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            time INTEGER NOT NULL,                  -- ms, end of the span
            direction TEXT NOT NULL CHECK (direction IN ('inbound', 'outbound')),
            kind TEXT NOT NULL CHECK (kind IN ('audio', 'video')),
            connection TEXT NOT NULL,
            source TEXT NOT NULL,                   -- SSRC, else the statistics id
            start INTEGER NOT NULL,                 -- ms
            segment INTEGER NOT NULL CHECK (segment >= 0),
            packets INTEGER CHECK (packets >= 0),
            packetsLost INTEGER,                    -- negative: late ones arrived
            lossPercent REAL CHECK (lossPercent BETWEEN 0 AND 100),
            packetsDiscarded INTEGER,
            bitrateKilobitsPerSecond REAL,          -- kbit/s of payload
            jitterMilliseconds REAL CHECK (jitterMilliseconds >= 0),
            roundTripMilliseconds REAL CHECK (roundTripMilliseconds >= 0),
            concealedPercent REAL,                  -- % of played samples
            silentConcealedPercent REAL,            -- % of played samples
            stretchedPercent REAL,                  -- % of played samples
            concealmentEvents INTEGER,
            jitterBufferMilliseconds REAL,
            audioLevelDecibels REAL,                -- dBFS
            framesPerSecond REAL,
            frameWidth INTEGER,                     -- pixels
            frameHeight INTEGER,                    -- pixels
            frozenSeconds REAL,                     -- s
            freezeCount INTEGER,
            meanQuantizer REAL,                     -- scale of the codec
            targetKilobitsPerSecond REAL,           -- kbit/s
            cpuLimitedPercent REAL,                 -- % of the span
            bandwidthLimitedPercent REAL,           -- % of the span
            heldSeconds REAL NOT NULL CHECK (heldSeconds >= 0),
            metrics TEXT NOT NULL,                  -- JSON object, figure by name
            CHECK (time >= start),
            PRIMARY KEY (recordId, time, direction, kind, connection, source)
        ) STRICT, WITHOUT ROWID;
        """

    private static let scores = """
        CREATE TABLE score (
            -- derived: inbound quality over a span
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            series TEXT NOT NULL CHECK (series IN ('live', 'window')),
            start INTEGER NOT NULL,  -- ms
            time INTEGER NOT NULL,   -- ms, end of the span
            score INTEGER CHECK (score BETWEEN 0 AND 100),
            audioScore INTEGER CHECK (audioScore BETWEEN 0 AND 100),
            videoScore INTEGER CHECK (videoScore BETWEEN 0 AND 100),
            costs TEXT NOT NULL,     -- JSON object, points by cause
            absence TEXT CHECK (absence IN ('held', 'noMedia', 'insufficient')),
            missing TEXT NOT NULL,   -- JSON array of W3C members
            heldSeconds REAL NOT NULL CHECK (heldSeconds >= 0),
            isEmitted INTEGER NOT NULL CHECK (isEmitted IN (0, 1)),
            CHECK (time >= start),
            CHECK (score IS NULL OR absence IS NULL),
            PRIMARY KEY (recordId, series, start)
        ) STRICT, WITHOUT ROWID;
        """

    private static let ratings = """
        -- derived: R and mean opinion scores of the audio, a JSON object; null where nothing is known of the codec
        ALTER TABLE score ADD COLUMN rating TEXT;
        """

    /// Folds of earlier versions are not read: their records are folded anew when their calls go on.
    private static let folds = """
        CREATE TABLE fold (
            -- derived: the state of a record's fold, up to some fact
            recordId INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
            state BLOB NOT NULL  -- opaque
        ) STRICT;
        ALTER TABLE record DROP COLUMN session;
        """

    private static let tombstones = """
        CREATE TABLE tombstone (
            -- records that were evicted or erased, so that late facts cannot revive half of one
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            tenant TEXT NOT NULL,
            callId TEXT NOT NULL,
            observer TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            start INTEGER NOT NULL,         -- ms, client's clock
            lastActivity INTEGER NOT NULL,  -- ms, client's clock
            hasEnded INTEGER NOT NULL CHECK (hasEnded IN (0, 1)),
            evictedAt INTEGER NOT NULL,     -- ms, collector's clock
            UNIQUE (tenant, callId, attempt, observer)
        ) STRICT;
        """
}
