import CallModel
import CallQuality
import Testing

/// A call of which only events are known, at milliseconds after an arbitrary start.
struct EventCall {
    static let start = Timestamp(milliseconds: 1_795_000_000_000)
    private(set) var facts: [Fact]

    init(_ events: [(Int64, String, String)]) {
        facts = events.map { Self.fact($0, $1, $2, [:]) }
    }

    private static func fact(_ offset: Int64, _ action: String, _ type: String, _ members: JSONObject) -> Fact {
        let time = start.advanced(byMilliseconds: offset)
        return .event(CallEvent(time: time, receivedAt: time, action: action, type: type, members: members))
    }

    func adding(_ offset: Int64, _ action: String, _ type: String, _ members: JSONObject = [:]) -> EventCall {
        var call = self
        call.facts.append(Self.fact(offset, action, type, members))
        return call
    }

    func summary() throws -> CallSummary {
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return try #require(session.summary())
    }

    func course() throws -> CallCourse { try summary().course }
}

extension CallCourse {
    /// `heldLocally 1000-3500`, in milliseconds after the start.
    var spans: [String] {
        lanes.map { lane in
            let start = lane.span.start.milliseconds(since: EventCall.start)
            let end = lane.span.end.map { "\($0.milliseconds(since: EventCall.start))" } ?? ""
            return "\(lane.kind.rawValue) \(start)-\(end)"
        }
    }
}
