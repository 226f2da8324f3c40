/// A table of the store: its columns, and what makes two rows the same.
///
/// Of rows with the same key the one with the highest `ver` stands: the engine drops the others some time later, and
/// `FINAL` leaves them out until then.
struct ClickHouseTable: Hashable, Sendable {
    /// A column, with the type as the engine spells it.
    struct Column: Hashable, Sendable {
        var name: String
        var type: String
    }

    /// What statements call it, on one node and on a cluster.
    var name: String
    var columns: [Column]
    /// Columns that the engine fills in by itself: what makes their value is part of their type.
    var filledIn: [Column] = []
    /// The columns of the key, in the order rows are sorted by.
    var key: [String]
    /// The fewest rows that the engine reads to find one. The longer they are, the fewer it should be.
    var granularity: Int

    init(
        _ name: String, key: [String], granularity: Int = 8192, _ columns: KeyValuePairs<String, String>,
        filledIn: KeyValuePairs<String, String> = [:]
    ) {
        self.name = name
        self.key = key
        self.granularity = granularity
        self.columns = columns.map { Column(name: $0.key, type: $0.value) }
        self.filledIn = filledIn.map { Column(name: $0.key, type: $0.value) }
    }

    /// The names of all columns that are written.
    var columnNames: [String] { columns.map(\.name) }

    /// All columns as a `SELECT` lists them.
    var selection: String { columnNames.joined(separator: ", ") }
}

extension ClickHouseTable {
    /// Of tables of which rows may go whose record stays: 1 in what stands in the place of one that could not be taken out.
    private static let gone: KeyValuePairs = ["gone": "UInt8 DEFAULT 0"]

    /// Whether a row may stand there for one that went.
    var marksGone: Bool { filledIn.contains { $0.name == "gone" } }

    /// Every table of a record begins with its key.
    static let recordKey = ["tenant", "call_id", "attempt", "observer"]

    /// What one observer knows of one attempt of a call, and the tombstones of those that went.
    static let records = ClickHouseTable(
        "records", key: recordKey, granularity: 256,
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "number": "Int64", "ver": "UInt64", "deleted": "UInt8",
            "start_ms": "Int64", "last_ms": "Int64", "received_ms": "Int64", "end_ms": "Nullable(Int64)",
            "rules_version": "Int64", "dirty": "UInt8", "stands_alone": "UInt8",
            "generation": "UInt64", "merged": "UInt8", "facts": "UInt64",
            "score": "Nullable(UInt8)", "worst_score": "Nullable(UInt8)", "outcome": "String",
            "setup_ms": "Nullable(Int64)", "duration_ms": "Int64", "leading_cause": "String",
            "relayed": "Nullable(UInt8)", "codecs": "Array(String)", "issues": "Array(String)",
            "joined": "String", "summary": "String", "client": "String",
        ],
        filledIn: ["written_s": "Int64 DEFAULT toInt64(toUnixTimestamp(now()))"])

    /// What clients and probes said. Each node that received a fact keeps its own row of it.
    static let facts = ClickHouseTable(
        "facts", key: recordKey + ["time_ms", "rank", "name", "node"], granularity: 256,
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "time_ms": "Int64", "rank": "Int64", "name": "String", "node": "String", "ver": "UInt64",
            "received_ms": "Int64", "action": "String", "type": "String", "sequence": "Nullable(Int64)",
            "contradicted": "UInt8", "content": "String",
        ],
        filledIn: gone)

    /// Inbound quality over spans of time.
    static let scores = ClickHouseTable(
        "scores", key: recordKey + ["generation", "series", "start_ms"], granularity: 1024,
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "generation": "UInt64", "series": "String", "start_ms": "Int64", "ver": "UInt64",
            "end_ms": "Int64", "score": "Nullable(UInt8)", "audio_score": "Nullable(UInt8)",
            "video_score": "Nullable(UInt8)", "costs": "String", "absence": "String", "missing": "Array(String)",
            "held_seconds": "Float64", "emitted": "UInt8", "rating": "String",
        ])

    /// What else a record is called.
    static let names = ClickHouseTable(
        "names", key: ["tenant", "kind", "name", "call_id", "attempt", "observer", "source"],
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "kind": "String", "name": "String", "source": "String", "ver": "UInt64",
        ],
        filledIn: gone)

    /// Sessions that calls claim.
    static let claims = ClickHouseTable(
        "claims", key: ["tenant", "session", "call_id", "attempt", "observer"],
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "session": "String", "ver": "UInt64", "deleted": "UInt8", "start_ms": "Int64", "last_ms": "Int64",
            "begun": "UInt8", "end_ms": "Nullable(Int64)",
        ])

    /// The state of a record's fold, up to some fact.
    static let folds = ClickHouseTable(
        "folds", key: recordKey, granularity: 256,
        [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "ver": "UInt64", "state": "String",
        ])

    /// All that a version of the schema has.
    static let all = [records, facts, samples, scores, names, claims, folds]

    /// Those whose rows go with their record. Of ``records`` a tombstone stays, of ``claims`` what a session must know.
    static let ofRecord = [facts, samples, scores, names, folds]
}
