/// What a client or the wire said. Facts are stored; everything else is derived from them.
public enum Fact: Hashable, Sendable {
    case report(StatsReport)
    case event(CallEvent)
}

extension Fact {
    /// The time the fact carries, on its sender's clock.
    public var time: Timestamp {
        switch self {
        case .report(let report): report.time
        case .event(let event): event.time
        }
    }

    /// When the collector first received it.
    public var receivedAt: Timestamp {
        get {
            switch self {
            case .report(let report): report.receivedAt
            case .event(let event): event.receivedAt
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
            }
        }
    }

    /// What makes two facts of one call the same fact, and the order in which a call's facts are folded.
    public var key: FactKey {
        switch self {
        case .report(let report):
            FactKey(time: report.time, rank: FactKey.reportRank, name: report.connection.rawValue)
        case .event(let event):
            FactKey(
                time: event.time, rank: FactKey.rank(ofEvent: event.type),
                name: "\(event.action)\u{1}\(event.type)\u{1}\(event.sequence.map(String.init) ?? "")")
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
        default:
            return self
        }
    }
}

/// The natural key of a fact within its call.
public struct FactKey: Hashable, Sendable, Codable {
    /// The time the fact carries.
    public var time: Timestamp
    /// Order among facts of the same millisecond; see ``rank(ofEvent:)``.
    public var rank: Int
    /// The connection of a report; action, type and running number of an event.
    public var name: String

    public init(time: Timestamp, rank: Int, name: String) {
        self.time = time
        self.rank = rank
        self.name = name
    }

    /// Reports follow the events of their millisecond.
    public static let reportRank = 100

    /// Events of one millisecond in the order in which a call makes them.
    public static func rank(ofEvent type: String) -> Int {
        switch type {
        case "callCreate", "incomingCall": 0
        case "iceNormal", "iceOneRelay", "iceNoRelay": 1
        case "callRestSent": 2
        case "SESSION_PROGRESS", "callRinging": 3
        case "callAnswerReceived": 4
        case "iceConnected": 5
        default: 6
        }
    }
}

extension FactKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.time, left.rank, left.name) < (right.time, right.rank, right.name)
    }
}
