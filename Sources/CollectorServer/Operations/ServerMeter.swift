import CallModel
public import Metrics

/// What the server meters of its requests. docs/operations.md says what each metric means.
public struct ServerMeter: Sendable {
    /// Why bodies and parts of them are not taken; a fixed vocabulary.
    static let rejections =
        RefusalReason.allCases.map(\.rawValue) + [
            "bad_parameter", "unsupported_media_type", "unsupported_encoding", "overloaded", "stopping",
            "store_unavailable", "store_damaged", "missing_token", "bad_authorization", "unknown_token",
            "expired_token",
            "missing_scope", "origin_not_allowed", "host_not_allowed", "too_many_requests", tooManyConnections,
            answerNotRead, badRequest, "internal", other,
        ]
    static let other = "other"
    /// Of connections that are not served; what they were to bring is not known.
    static let tooManyConnections = "too_many_connections"
    /// Also of what cannot be read as a request.
    static let badRequest = "bad_request"
    /// Of connections that are closed because their client reads nothing of its answers.
    static let answerNotRead = "answer_not_read"

    let factory: any MetricsFactory
    private let rejected: [String: Counter]
    private let bodyBytes: Meter
    private let nanoseconds: @Sendable () -> Int64

    /// - Parameters:
    ///   - factory: makes the instruments; by default what is metered goes nowhere.
    ///   - nanoseconds: a clock that only moves forward, for durations.
    public init(
        factory: any MetricsFactory = NOOPMetricsHandler.instance, nanoseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        self.factory = factory
        rejected = Dictionary(
            uniqueKeysWithValues: Self.rejections.map {
                let label = "sidetone_ingest_rejected_total"
                return ($0, Counter(label: label, dimensions: [("reason", $0)], factory: factory))
            })
        bodyBytes = Meter(label: "sidetone_ingest_bytes_in_flight", factory: factory)
        self.nanoseconds = nanoseconds
    }

    /// A moment, for the length of what begins now.
    func moment() -> Int64 { nanoseconds() }

    /// Takes in that a body, or a part of one, was not taken.
    func reject(_ reason: String, count: Int = 1) {
        (rejected[reason] ?? rejected[Self.other])?.increment(by: count)
    }

    /// Takes in which parts of a body were not taken.
    func reject(_ parts: [Receipt.Refused]) {
        for part in parts { reject(part.reason.rawValue) }
    }

    /// Takes in that the bodies being received grew by so many bytes, or shrank.
    func bodiesGrew(by bytes: Int) {
        bodyBytes.increment(by: Double(bytes))
    }
}
