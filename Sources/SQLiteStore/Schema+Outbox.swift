/// Migration 7: what was committed and another store is yet to be given.
///
/// Nothing is in these tables unless an outbox is kept.
extension Schema {
    static let outbox = """
        CREATE TABLE outbox (
            -- what changed, by reference, in the order of the commits
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            recordId INTEGER REFERENCES record (id) ON DELETE CASCADE,  -- null: a call was erased
            notedAt INTEGER NOT NULL,  -- ms, collector's clock
            tenant TEXT,               -- of a call that was erased
            callId TEXT,               -- of a call that was erased
            facts TEXT NOT NULL,       -- spans of time, from:to in ms, with commas between
            intervals TEXT NOT NULL,   -- spans of the rows' ends
            scores TEXT NOT NULL,      -- spans of the rows' starts
            parts INTEGER NOT NULL CHECK (parts BETWEEN 0 AND 15),  -- 1 fold, 2 all derived rows, 4 names, 8 share
            rowCount INTEGER NOT NULL CHECK (rowCount >= 0),
            byteCount INTEGER NOT NULL CHECK (byteCount >= 0),      -- what these rows take, about
            CHECK ((recordId IS NULL) = (tenant IS NOT NULL)),
            CHECK ((recordId IS NULL) = (callId IS NOT NULL))
        ) STRICT;
        CREATE INDEX outbox_record ON outbox (recordId, id);
        CREATE TABLE outboxAside (
            -- records that the other store does not take
            recordId INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
            reason TEXT NOT NULL
        ) STRICT;
        CREATE TABLE outboxState (
            -- one row from when an outbox is kept first
            id INTEGER PRIMARY KEY CHECK (id = 1),
            isKept INTEGER NOT NULL CHECK (isKept IN (0, 1)),
            entries INTEGER NOT NULL CHECK (entries >= 0),  -- as in the table
            bytes INTEGER NOT NULL CHECK (bytes >= 0),      -- as in the table
            dropped INTEGER NOT NULL CHECK (dropped >= 0)   -- entries given up to make room
        ) STRICT;
        CREATE TRIGGER outbox_noted AFTER INSERT ON outbox BEGIN
            UPDATE outboxState SET entries = entries + 1, bytes = bytes + NEW.byteCount;
        END;
        CREATE TRIGGER outbox_settled AFTER DELETE ON outbox BEGIN
            UPDATE outboxState SET entries = entries - 1, bytes = bytes - OLD.byteCount;
        END;
        """
}
