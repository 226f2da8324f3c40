"""What a ClickHouse database has beside what stands: earlier rows, rows of calls that went, what several servers took."""

# Changes of columns, by name, each of which makes other rows of those that stand. The tables are those of
# Sources/ClickHouseStore/Schema, and so is what each change means.
LEAVINGS = {
    "records": [
        # Until the engine drops it, an earlier row of the same key.
        {"ver": "ver - 1", "score": "1", "worst_score": "1", "leading_cause": "'jitter'", "summary": "''"},
        # A call that went, and a record of which nothing is left.
        {"observer": "concat(observer, ' that went')", "deleted": "1"},
        {"observer": "concat(observer, ' that is empty')", "deleted": "2"},
    ],
    "samples": [
        {"ver": "ver - 1", "jitter_ms": "77"},
        # Before all of them were replaced.
        {"generation": "generation - 1", "end_ms": "end_ms + 1"},
    ],
    "scores": [
        {"ver": "ver - 1", "score": "7"},
        {"generation": "generation - 1", "end_ms": "end_ms + 1"},
    ],
    "facts": [
        {"node": "'another'", "received_ms": "received_ms + 1"},
        {"ver": "ver - 1", "received_ms": "received_ms - 1", "content": "'{}'"},
        # In the place of a fact that could not be taken out.
        {"time_ms": "time_ms + 1", "content": "''", "gone": "1"},
    ],
    "claims": [
        # A call that took part in nothing any more.
        {"session": "call_id", "deleted": "1"},
        {"session": "concat(session, ' that went')", "deleted": "1"},
    ],
}


def leave(engine, source):
    """Makes the database of an engine: the tables of another one, and the same rows with leavings beside them."""
    # Asked of one that is there already.
    engine.post(f"CREATE DATABASE {engine.database}", database=source)
    for table, changes in LEAVINGS.items():
        engine.post(f"CREATE TABLE {table} AS {source}.{table}")
        # The engine would drop some of them while they are looked at.
        engine.post(f"SYSTEM STOP MERGES {engine.database}.{table}")
        columns = engine.post(
            f"SELECT name FROM system.columns WHERE database = '{source}' AND table = '{table}'").decode().split()
        for change in [{}, *changes]:
            values = ", ".join(change.get(column, column) for column in columns)
            engine.post(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {source}.{table} FINAL "
                        f"WHERE {'deleted = 0' if 'deleted' in columns else '1'}")
