import CallModel
import Foundation
import StoreParts

extension ClickHouseTable {
    /// The time series of the streams: one column a member of `MediaInterval`.
    static let samples = ClickHouseTable(
        "samples", key: recordKey + ["generation", "end_ms", "direction", "kind", "connection", "source"],
        fixed: [
            "tenant": "String", "call_id": "String", "attempt": "Int64", "observer": "String",
            "generation": "UInt64", "end_ms": "Int64", "direction": "String", "kind": "String",
            "connection": "String", "source": "String", "ver": "UInt64", "start_ms": "Int64", "segment": "Int64",
            "held_seconds": "Float64", "metrics": "String",
        ],
        further: SampleRow.wholes.map { ($0.name, "Nullable(Int64)") }
            + SampleRow.reals.map { ($0.name, "Nullable(Float64)") })

    private init(
        _ name: String, key: [String], fixed: KeyValuePairs<String, String>, further: [(String, String)]
    ) {
        self.init(name, key: key, fixed)
        columns += further.map { Column(name: $0.0, type: $0.1) }
    }
}

/// A row of `samples`.
struct SampleRow: StoredRow {
    static let table = ClickHouseTable.samples

    /// The members that are whole numbers, `nil` when not known.
    static let wholes: [(name: String, path: any WritableKeyPath<MediaInterval, Int?> & Sendable)] = [
        ("packets", \.packets),
        ("packets_lost", \.packetsLost),
        ("packets_discarded", \.packetsDiscarded),
        ("concealment_events", \.concealmentEvents),
        ("frame_width", \.frameWidth),
        ("frame_height", \.frameHeight),
        ("freezes", \.freezeCount),
    ]

    /// The members that are real numbers, `nil` when not known.
    static let reals: [(name: String, path: any WritableKeyPath<MediaInterval, Double?> & Sendable)] = [
        ("loss_percent", \.lossPercent),
        ("bitrate_kbps", \.bitrateKilobitsPerSecond),
        ("jitter_ms", \.jitterMilliseconds),
        ("round_trip_ms", \.roundTripMilliseconds),
        ("concealed_percent", \.concealedPercent),
        ("silent_concealed_percent", \.silentConcealedPercent),
        ("stretched_percent", \.stretchedPercent),
        ("jitter_buffer_ms", \.jitterBufferMilliseconds),
        ("audio_level_dbfs", \.audioLevelDecibels),
        ("frames_per_second", \.framesPerSecond),
        ("frozen_seconds", \.frozenSeconds),
        ("mean_quantizer", \.meanQuantizer),
        ("target_kbps", \.targetKilobitsPerSecond),
        ("cpu_limited_percent", \.cpuLimitedPercent),
        ("bandwidth_limited_percent", \.bandwidthLimitedPercent),
    ]

    var key: CallKey
    var generation: UInt64
    var version: UInt64
    var interval: MediaInterval

    init(_ interval: MediaInterval, of key: CallKey, generation: UInt64, version: UInt64) {
        self.key = key
        self.generation = generation
        self.version = version
        self.interval = interval
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(key)
        rows.write(generation)
        rows.write(interval.end.milliseconds)
        rows.write(interval.stream.direction.rawValue)
        rows.write(interval.stream.kind.rawValue)
        rows.write(StoredName.encode(interval.stream.connection.rawValue))
        rows.write(StoredName.encode(interval.stream.source))
        rows.write(version)
        rows.write(interval.start.milliseconds)
        rows.write(Int64(interval.segment))
        rows.write(interval.heldSeconds)
        rows.write(StoredJSON.text(of: interval.metrics))
        for (_, path) in Self.wholes { rows.write(nullable: interval[keyPath: path].map(Int64.init)) }
        for (_, path) in Self.reals { rows.write(nullable: interval[keyPath: path]) }
    }

    init(_ row: inout RowBinaryReader) throws {
        key = try row.callKey()
        generation = try row.uint64()
        let end = Timestamp(milliseconds: try row.int64())
        let (way, sort) = (try row.string(), try row.string())
        guard let direction = MediaDirection(rawValue: way), let kind = MediaKind(rawValue: sort) else {
            throw CallStoreError.damaged("an interval", reason: "no stream is \(way)/\(sort)")
        }
        let stream = StreamKey(
            connection: ConnectionID(rawValue: try row.string()), direction: direction, kind: kind,
            source: try row.string())
        version = try row.uint64()
        interval = MediaInterval(
            stream: stream, start: Timestamp(milliseconds: try row.int64()), end: end, segment: Int(try row.int64()))
        interval.heldSeconds = try row.double()
        let metrics = try row.string()
        interval.metrics = try understanding("the figures of an interval") { try StoredJSON.figures(of: metrics) }
        for (_, path) in Self.wholes { interval[keyPath: path] = try row.nullable { Int(try $0.int64()) } }
        for (_, path) in Self.reals { interval[keyPath: path] = try row.nullable { try $0.double() } }
    }
}
