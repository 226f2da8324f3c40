import CallModel
import CallReport
import Collector
import NIOCore
import Synchronization

/// Events as they are sent. What all watchers of a tenant are told is written once, and shared.
///
/// A class, for all who watch share it.
final class LiveTexts: Sendable {
    /// So that an open page comes back 2 s after the server was gone.
    static let opening = ByteBuffer(string: "retry: 2000\n\n")
    static let heartbeat = ByteBuffer(string: ": alive\n\n")
    /// What follows does not go on where the watcher was.
    static let reset = "event: reset\ndata: {}\n\n"
    static let farewell = ByteBuffer(string: ": too slow\n\n")

    private struct Written {
        var first: UInt64
        var last: UInt64
        var text: ByteBuffer?
    }

    /// The batches of each tenant written last; most watchers are at the newest.
    private let written = Mutex<[TenantID: [Written]]>([:])
    private static let mostWritten = 16

    /// What an audience is told of a batch; `nil` when that is nothing.
    func text(of batch: LiveBatch, for audience: LiveAudience) -> ByteBuffer? {
        guard audience.calls == nil else { return Self.text(of: batch) { audience.includes($0) } }
        return text(of: batch, of: audience.tenant)
    }

    private func text(of batch: LiveBatch, of tenant: TenantID) -> ByteBuffer? {
        written.withLock { written in
            var latest = written[tenant, default: []]
            if let found = latest.last(where: { $0.first == batch.first && $0.last == batch.last }) {
                return found.text
            }
            let text = Self.text(of: batch) { $0.identity.tenant == tenant }
            if latest.count >= Self.mostWritten { latest.removeFirst() }
            latest.append(Written(first: batch.first, last: batch.last, text: text))
            written[tenant] = latest
            return text
        }
    }

    private static func text(of batch: LiveBatch, where isMeant: (CallKey) -> Bool) -> ByteBuffer? {
        var text = ""
        for (index, event) in batch.events.enumerated() where isMeant(event.key) {
            text += Self.text(number: batch.first + UInt64(index), name: event.kind.name, event.json)
        }
        return text.isEmpty ? nil : ByteBuffer(string: text)
    }

    /// One event. Canonical JSON has no line breaks.
    static func text(number: UInt64, name: String, _ data: JSONValue) -> String {
        "id: \(number)\nevent: \(name)\ndata: \(data.canonicalText)\n\n"
    }
}

extension LiveEvent {
    fileprivate var json: JSONValue {
        var members = members
        members["time"] = JSONValue(time)
        return key.record(with: members)
    }

    private var members: JSONObject {
        switch kind {
        case .callStarted: [:]
        case .inboundQualityChanged(let score): ["score": .integer(Int64(score))]
        case .issueRaised(let issue, let severity), .issueCleared(let issue, let severity):
            ["issue": .string(issue.rawValue), "severity": .string(severity.rawValue)]
        case .callEnded(let ending):
            [
                "outcome": .string(ending.outcome.rawValue), "reason": .string(ending.reason),
                "score": ending.score.map { .integer(Int64($0)) } ?? .null,
                "worstScore": ending.worstScore.map { .integer(Int64($0)) } ?? .null,
            ]
        }
    }
}
