/// What a client or the wire said. Facts are stored; everything else is derived from them.
public enum Fact: Hashable, Sendable {
    case report(StatsReport)
    case event(CallEvent)
    case wire(WireReport)
}

extension Fact {
    /// The time the fact carries, on its sender's clock.
    public var time: Timestamp {
        switch self {
        case .report(let report): report.time
        case .event(let event): event.time
        case .wire(let report): report.time
        }
    }

    /// When the collector first received it.
    public var receivedAt: Timestamp {
        get {
            switch self {
            case .report(let report): report.receivedAt
            case .event(let event): event.receivedAt
            case .wire(let report): report.receivedAt
            }
        }
        set {
            switch self {
            case .report(var report):
                report.receivedAt = newValue
                self = .report(report)
            case .event(var event):
                event.receivedAt = newValue
                self = .event(event)
            case .wire(var report):
                report.receivedAt = newValue
                self = .wire(report)
            }
        }
    }

    /// Whether it is a report of a client.
    public var isReport: Bool {
        if case .report = self { true } else { false }
    }

    /// What makes two facts of one call the same fact, and the order in which a call's facts are folded.
    public var key: FactKey {
        switch self {
        case .report(let report):
            FactKey(time: report.time, rank: FactKey.reportRank, name: report.connection.rawValue)
        case .event(let event):
            FactKey(
                time: event.time, rank: FactKey.rank(of: event),
                name: "\(event.action)\u{1}\(event.type)\u{1}\(event.sequence.map(String.init) ?? "")")
        case .wire(let report):
            FactKey(time: report.time, rank: FactKey.wireRank, name: "")
        }
    }

    /// Unites two facts of one key. Commutative, associative and idempotent, so arrival order cannot matter.
    public func merged(with other: Fact) -> Fact {
        switch (self, other) {
        case (.report(var report), .report(let more)):
            report.merge(more)
            return .report(report)
        case (.event(var event), .event(let more)):
            event.merge(more)
            return .event(event)
        case (.wire(var report), .wire(let more)):
            report.merge(more)
            return .wire(report)
        default:
            return self
        }
    }
}

/// The natural key of a fact within its call.
public struct FactKey: Hashable, Sendable, Codable {
    /// The time the fact carries.
    public var time: Timestamp
    /// Order among facts of the same millisecond; see ``rank(of:)``.
    public var rank: Int
    /// The connection of a report; action, type and running number of an event.
    public var name: String

    public init(time: Timestamp, rank: Int, name: String) {
        self.time = time
        self.rank = rank
        self.name = name
    }

    /// After all facts.
    public static let last = FactKey(time: Timestamp(milliseconds: .max), rank: .max, name: "")

    /// Reports follow the events of their millisecond.
    public static let reportRank = 100
    /// What a probe saw follows what clients said of the same millisecond.
    public static let wireRank = 101

    /// Events of one millisecond in the order in which a call makes them; what a probe saw in the order of its numbers.
    public static func rank(of event: CallEvent) -> Int {
        if event.action == "sip" { return sipRank + Int(min(max(0, event.sequence ?? 80), 80)) }
        return rank(ofType: event.type)
    }

    /// SIP messages follow what clients said of the same millisecond, and precede ``reportRank``.
    private static let sipRank = 10

    private static func rank(ofType type: String) -> Int {
        switch type {
        case "callCreate", "incomingCall": 0
        case "iceNormal", "iceOneRelay", "iceNoRelay": 1
        case "callRestSent": 2
        case "SESSION_PROGRESS", "callRinging": 3
        case "callAnswerReceived": 4
        case "iceConnected", "ipChangeStarted": 5
        default: 6
        }
    }
}

extension FactKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.time, left.rank, left.name) < (right.time, right.rank, right.name)
    }
}
