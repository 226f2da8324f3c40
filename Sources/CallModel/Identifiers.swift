/// Whose data this is. Comes from the access token; part of every key.
public struct TenantID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The tenant of a collector that knows only one.
    public static let `default` = TenantID(rawValue: "default")
}

/// The identifier a client gave its call (`callId`), 1...256 bytes, opaque.
public struct CallID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Who watched the call: a client's own name for its side (`caller`, `callee`, …).
///
/// Two ends may post under one `callId`; each stays a record of its own.
public struct ObserverID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A sender that did not say which side it is.
    public static let client = ObserverID(rawValue: "client")

    /// What a probe calls the ends of a call: by who called, or, where it did not see that, without saying which is
    /// which.
    private static let otherEnds = ["caller": "callee", "callee": "caller", "a": "b", "b": "a"]

    /// The other end as the same probe calls it: `wire:callee` of `wire:caller`, `wire:b` of `wire:a`; `nil` of what is
    /// no end that a probe tells of.
    public var otherEnd: ObserverID? {
        guard let colon = rawValue.utf8.lastIndex(of: UInt8(ascii: ":")),
            let other = Self.otherEnds[String(rawValue[rawValue.index(after: colon)...])]
        else { return nil }
        return ObserverID(rawValue: rawValue[...colon] + other)
    }
}

/// One `RTCPeerConnection` of a call; empty when the sender has only one and did not name it.
public struct ConnectionID: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The connection of a sender that names none.
    public static let only = ConnectionID(rawValue: "")

    /// The members by which reports and events name their connection; the first that is there counts.
    public static let memberNames = [
        "peerConnectionId", "connectionId", "pc", "peer_connection_id", "connection_id", "pc_id",
    ]
}

/// A call as all its observers share it: the tenant and the identifier the clients gave.
public struct CallIdentity: Hashable, Sendable, Codable {
    /// Whose call it is.
    public var tenant: TenantID
    /// What the clients call it.
    public var call: CallID

    public init(tenant: TenantID, call: CallID) {
        self.tenant = tenant
        self.call = call
    }
}

/// One observer's view of one attempt of a call: the key of a call record.
public struct CallKey: Hashable, Sendable, Codable {
    /// The call.
    public var identity: CallIdentity
    /// Who watched it.
    public var observer: ObserverID
    /// 1 for the first use of the identifier; a `callCreate` after the end opens the next.
    public var attempt: Int

    public init(identity: CallIdentity, observer: ObserverID, attempt: Int) {
        self.identity = identity
        self.observer = observer
        self.attempt = attempt
    }

    /// The record of the other end by the same probe; `nil` of a record of no probe.
    public var otherEnd: CallKey? {
        observer.otherEnd.map { CallKey(identity: identity, observer: $0, attempt: attempt) }
    }
}

/// What a stream carries (`kind` of W3C webrtc-stats).
public enum MediaKind: String, Hashable, Sendable, Codable, CaseIterable {
    case audio, video
}

/// Which way a stream flows, seen from the observer.
public enum MediaDirection: String, Hashable, Sendable, Codable, CaseIterable {
    case inbound, outbound
}

/// One RTP stream of a call.
///
/// Built from the SSRC, not from the statistics id: ids are renumbered from report to report.
public struct StreamKey: Hashable, Sendable, Codable {
    /// The peer connection that carries the stream.
    public var connection: ConnectionID
    /// Received or sent.
    public var direction: MediaDirection
    /// Audio or video.
    public var kind: MediaKind
    /// The SSRC in decimal; the statistics id where the sender gives no SSRC.
    public var source: String

    public init(connection: ConnectionID, direction: MediaDirection, kind: MediaKind, source: String) {
        self.connection = connection
        self.direction = direction
        self.kind = kind
        self.source = source
    }
}

extension StreamKey: Comparable {
    /// Inbound before outbound, audio before video, then by connection and source: the order of a report.
    public static func < (left: Self, right: Self) -> Bool {
        left.sortKey < right.sortKey
    }

    private var sortKey: (Int, Int, String, String) {
        (direction == .inbound ? 0 : 1, kind == .audio ? 0 : 1, connection.rawValue, source)
    }
}
