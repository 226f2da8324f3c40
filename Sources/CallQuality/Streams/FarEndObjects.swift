import CallModel

/// Finds what the far end said of each stream of a report.
///
/// Engines name it by `remoteId`. For those that do not, the objects are looked through once, and only then.
struct FarEndObjects {
    /// The objects of the far end that tell of streams of one direction and kind.
    fileprivate struct Group {
        var byLocalID: [String: StatsObject] = [:]
        var bySSRC: [String: StatsObject] = [:]
        var only: StatsObject?
        var count = 0
        /// How many streams the report has of that direction and kind.
        var streams = 0
    }

    /// What an object of the far end tells of.
    private struct Subject: Hashable {
        var isInbound: Bool
        var kind: String
    }

    private let report: StatsReport
    private var groups: [Subject: Group]?

    init(_ report: StatsReport) {
        self.report = report
    }

    /// What the far end said of a stream: by `remoteId`; by `localId` or SSRC and kind where an engine gives none.
    /// - Parameters:
    ///   - stream: An object of the report that is a stream.
    ///   - key: Its key.
    ///   - named: The object of the report with an id.
    /// - Returns: `nil` when it said nothing, or nothing that is this stream's for certain.
    mutating func object(
        for stream: StatsObject, key: StreamKey, named: (String?) -> StatsObject?
    ) -> StatsObject? {
        if let remote = named(stream.members["remoteId"]?.text) { return remote }
        let known = groups ?? grouped()
        groups = known
        let subject = Subject(isInbound: key.direction == .inbound, kind: key.kind.rawValue)
        guard let group = known[subject] else { return nil }
        // aiortc names the wrong SSRC in `remote-inbound-rtp`: where there is one stream of the kind, it is that one.
        return group.byLocalID[stream.id] ?? group.bySSRC[key.source]
            ?? (group.count == 1 && group.streams == 1 ? group.only : nil)
    }

    private func grouped() -> [Subject: Group] {
        var groups: [Subject: Group] = [:]
        for object in report.objects {
            guard let kind = object.members["kind"]?.text else { continue }
            switch object.type {
            case .inboundRTP: groups[Subject(isInbound: true, kind: kind), default: Group()].streams += 1
            case .outboundRTP: groups[Subject(isInbound: false, kind: kind), default: Group()].streams += 1
            case .remoteOutboundRTP: groups[Subject(isInbound: true, kind: kind), default: Group()].note(object)
            case .remoteInboundRTP: groups[Subject(isInbound: false, kind: kind), default: Group()].note(object)
            default: continue
            }
        }
        return groups
    }
}

extension FarEndObjects.Group {
    /// Of two that name the same stream, the first counts.
    fileprivate mutating func note(_ object: StatsObject) {
        count += 1
        only = object
        if let id = object.members["localId"]?.text, byLocalID[id] == nil { byLocalID[id] = object }
        if let ssrc = object.members["ssrc"]?.wholeNumber.map(String.init), bySSRC[ssrc] == nil {
            bySSRC[ssrc] = object
        }
    }
}

extension FarEndSample {
    /// - Parameter remote: a `remote-inbound-rtp` or `remote-outbound-rtp`.
    init(remote: StatsObject) {
        self.init(arrivedAt: remote.timestamp, reportedAt: remote.time("remoteTimestamp"))
        packetsSent = remote["packetsSent"]
        packetsLost = remote["packetsLost"]
        jitterSeconds = remote["jitter"]
        roundTripSeconds = remote["roundTripTime"].flatMap { $0 > 0 ? $0 : nil }
        totalRoundTripSeconds = remote["totalRoundTripTime"]
        roundTripMeasurements = remote["roundTripTimeMeasurements"]
    }
}
