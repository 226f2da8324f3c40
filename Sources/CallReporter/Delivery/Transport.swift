/// A way to a collector.
protocol Transport: Sendable {
    /// Sends one body, and waits for the answer.
    func post(_ request: TransportRequest) async throws(TransportFailure) -> TransportAnswer
}

/// What kept a request from being answered.
struct TransportFailure: Error, Hashable {
    /// For people.
    var reason: String
}

/// What is posted.
struct TransportRequest: Hashable, Sendable {
    var address: String
    var headers: [String: String]
    var body: [UInt8]
}

/// What was answered.
struct TransportAnswer: Hashable, Sendable {
    var status: Int
    /// `Retry-After` in seconds ([RFC 9110 §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)); `nil`
    /// where it is missing, or a date.
    var retryAfter: Int?
    var body: [UInt8]
}
