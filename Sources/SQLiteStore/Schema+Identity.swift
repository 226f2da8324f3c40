/// Migration 2: what calls are called, and the sessions they claim.
///
/// The columns of a key come first and in its order: SQLite's `quick_check` finds fault with rows of others.
extension Schema {
    static let identity = """
        CREATE TABLE name (
            -- facts: what else a record is called
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('header', 'userToUser', 'reportedSSRC', 'observedSSRC')),
            name TEXT NOT NULL CHECK (name <> ''),
            source TEXT NOT NULL,  -- the member or header field that says it
            tenant TEXT NOT NULL,
            PRIMARY KEY (recordId, kind, name, source)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX name_calls ON name (tenant, kind, name);
        CREATE TABLE claim (
            -- facts: a message named a session and a call; stays as long as the call or the session does
            tenant TEXT NOT NULL,
            session TEXT NOT NULL CHECK (session <> callId),
            callId TEXT NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            observer TEXT NOT NULL,
            start INTEGER NOT NULL,         -- ms, client's clock: first fact under the call's own id
            lastActivity INTEGER NOT NULL,  -- ms, client's clock: last fact under the call's own id
            isBegun INTEGER NOT NULL CHECK (isBegun IN (0, 1)),
            endedAt INTEGER,                -- ms, client's clock; null when no fact under the call's own id ended it
            CHECK (lastActivity >= start),
            PRIMARY KEY (tenant, session, callId, attempt, observer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX claim_call ON claim (tenant, callId, attempt, observer);
        CREATE TABLE joinedEvent (
            -- derived: an event told under a session's id that a call took part in
            recordId INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
            eventId INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
            PRIMARY KEY (recordId, eventId)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX joinedEvent_event ON joinedEvent (eventId);
        ALTER TABLE record ADD COLUMN
            -- 1: listed although calls claim it as their session, for part of it belongs to none for certain
            standsAlone INTEGER NOT NULL DEFAULT 0 CHECK (standsAlone IN (0, 1));
        """

    /// Claims of calls that were stored before: their events name the session. Plain ids only; others are noted when the
    /// call goes on.
    static let earlierClaims = """
        INSERT INTO claim (tenant, session, callId, observer, attempt, start, lastActivity, isBegun, endedAt)
        SELECT tenant, told.name, callId, observer, attempt, start, lastActivity,
            EXISTS (SELECT 1 FROM event WHERE event.recordId = record.id AND type IN ('callCreate', 'incomingCall')),
            (SELECT max(time) FROM event WHERE event.recordId = record.id AND type = 'ENDED')
        FROM record JOIN (
            SELECT DISTINCT recordId, CASE WHEN NOT json_valid(members) THEN NULL
                WHEN json_type(members, '$.sessionId') = 'text' THEN json_extract(members, '$.sessionId') END AS name
            FROM event WHERE action <> 'sip'
        ) told ON told.recordId = record.id
        WHERE told.name <> callId AND length(told.name) BETWEEN 1 AND 256 AND told.name NOT GLOB '*[^ -~]*';
        UPDATE record SET isDirty = 1 WHERE EXISTS (
            SELECT 1 FROM claim WHERE claim.tenant = record.tenant
            AND (claim.session = record.callId OR claim.callId = record.callId));
        """
}
