public import CallModel

/// Values as members of a report: what is not known is `null`.
extension JSONValue {
    init(_ value: Double?) {
        self = value.flatMap { $0.isFinite ? .double($0) : nil } ?? .null
    }

    init(_ value: Int?) {
        self = value.map { .integer(Int64($0)) } ?? .null
    }

    init(_ value: Int64?) {
        self = value.map { .integer($0) } ?? .null
    }

    init(_ value: String?) {
        self = value.map { .string($0) } ?? .null
    }

    /// A moment as ISO 8601 in UTC, with milliseconds.
    public init(_ value: Timestamp?) {
        self.init(value?.iso8601)
    }

    init(_ values: [String]) {
        self = .array(values.map { .string($0) })
    }

    init(_ value: Bool?) {
        self = value.map { .bool($0) } ?? .null
    }

    /// `{"start", "end", "milliseconds"}`; the last two are null while the span is open.
    init(_ span: TimeSpan) {
        self = [
            "start": JSONValue(span.start), "end": JSONValue(span.end),
            "milliseconds": JSONValue(span.milliseconds),
        ]
    }

    /// Figures under the names of their keys, such as points by cause.
    init<Key: RawRepresentable>(_ figures: [Key: Double]) where Key.RawValue == String {
        self = .object(
            JSONObject(figures.map { ($0.key.rawValue, JSONValue($0.value)) }) { first, _ in first })
    }

    /// Only the figures that are known, under their names.
    init<Key: RawRepresentable>(metrics: [Key: Double]) where Key.RawValue == String {
        self.init(metrics.filter(\.value.isFinite))
    }
}
