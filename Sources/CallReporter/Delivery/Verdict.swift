#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an answer means for the entries that were sent ([docs/ingest-api.md](../../../docs/ingest-api.md#the-answer)).
enum Verdict: Hashable, Sendable {
    /// They are stored, or were; `refused` of them are not and would be refused again.
    case taken(refused: Int, reason: String?)
    /// They are too much for one request.
    case tooLarge
    /// They would be refused again.
    case never(reason: String)
    /// They may be taken later.
    case later(reason: String, after: Duration?)

    init(_ answer: TransportAnswer) {
        let content = try? JSONDecoder().decode(Answer.self, from: Data(answer.body))
        let reason = content?.reason.map { "\(answer.status): \($0)" } ?? "it answers \(answer.status)"
        switch answer.status {
        // Who answers otherwise is no collector: the login page of a hotel, for example.
        case 200..<300, 410, 422:
            guard let content, content.isReceipt else {
                self =
                    answer.status < 300
                    ? .later(reason: "it answers as no collector does", after: nil) : .never(reason: reason)
                return
            }
            // All of it goes once more, for the collector knows what it has.
            if let waits = content.refused?.first(where: { $0.reason == Refusal.tooManyCalls }) {
                self = .later(reason: waits.message ?? reason, after: Refusal.patience)
            } else {
                self = .taken(refused: content.refused?.count ?? 0, reason: content.refused?.first?.message)
            }
        case 413: self = .tooLarge
        case 400, 415: self = .never(reason: reason)
        // A token or an address that is wrong may be set right; until then everything waits.
        default: self = .later(reason: reason, after: answer.retryAfter.map { .seconds($0) })
        }
    }

    /// A receipt, an error, or both.
    private struct Answer: Decodable {
        var accepted: Int?
        var refused: [Refusal]?
        var error: Refusal?

        var isReceipt: Bool { accepted != nil && refused != nil }
        var reason: String? { error?.message ?? refused?.first?.message }
    }

    private struct Refusal: Decodable {
        var reason: String?
        var message: String?

        /// The one reason that passes: other calls end.
        static let tooManyCalls = "too_many_calls"
        /// What the collector asks for where it refuses a whole request for this.
        static let patience = Duration.seconds(10)
    }
}
