import CallModel

/// A stream on its way from the sender to the receiver: what each observer saw of it, and where it was impaired.
struct StreamPath: Hashable {
    /// Whether it flows to the end that is reported on.
    var isInbound: Bool
    var kind: MediaKind
    /// The SSRC in decimal.
    var source: String
    /// The time that all who measured it have in common; `nil` when only one did.
    var span: ClosedRange<Timestamp>?
    /// In order of the way: the sender, probes as they lie, the receiver.
    var points: [PathPoint]
    var findings: [PathFinding]

    /// How many observers measured it, RTCP left out.
    var observers: Int { points.count { $0.observer != nil } }

    /// Shorter times say too little, in ms.
    static let leastMilliseconds: Int64 = 5_000

    init?(_ sightings: [StreamSighting], isInbound: Bool, kind: MediaKind, source: String) {
        (self.isInbound, self.kind, self.source) = (isInbound, kind, source)
        let spans = sightings.map(\.span)
        guard let start = spans.compactMap({ $0?.lowerBound }).max(), !spans.contains(nil),
            let watched = spans.compactMap({ $0?.upperBound }).min(),
            let end = sightings.compactMap(\.view.lastRowEnd).max().map({ min($0, watched) }),
            end.milliseconds(since: start) >= Self.leastMilliseconds
        else { return nil }
        let common = start...end
        span = common
        let measured = sightings.map { (sighting: $0, point: PathPoint($0, in: common)) }
        let largest = max(1, measured.compactMap(\.point.packets).max() ?? 1)
        let ordered = measured.sorted { Self.order($0, largest) < Self.order($1, largest) }
        let control = ControlPoints(sightings)
        let hasSender = ordered.first?.point.place == .sender
        let hasReceiver = ordered.last?.point.place == .receiver
        // Of the time that others have in common its figures say nothing.
        let relay = sightings.count == 1 ? sightings[0].beforeRelay : nil
        points =
            (hasSender ? [] : [control.sender].compactMap { $0 })
            + (relay.map { [PathPoint(before: $0, seenBy: sightings[0].view)] } ?? []) + ordered.map(\.point)
            + (hasReceiver ? [] : [control.receiver].compactMap { $0 })
        let lead = points.count - ordered.count - (hasReceiver || control.receiver == nil ? 0 : 1)
        findings = []
        findings = gaps(ordered.map(\.sighting), ordered.map(\.point), in: common, lead: lead)
        if let only = sightings.first, sightings.count == 1, let count = control.shortfall {
            findings += shortfall(count, only, from: 0, to: 1)
        }
        if let relay { findings += cut(behind: relay, sightings[0], at: lead) }
        // Sound that did not come at all is made up, too, and numbers that end with the sound are not seen to be missing.
        let wasCutOff = sightings.contains { $0.place == .receiver && !$0.view.summary.outages.isEmpty }
        findings += losses() + jitters() + receiverFaults(wasCutOff: wasCutOff)
    }

    /// What is nearer to the sender has more of the packets; of those that have as many, less jitter, and the first packet
    /// first. What may lie outside of the common time is no difference, nor is what would be none as loss.
    private static func order(
        _ measured: (sighting: StreamSighting, point: PathPoint), _ largest: Double
    ) -> (Int, Int, Int, Int64) {
        let place =
            switch measured.point.place {
            case .sender: 0
            case .probe: 1
            case .receiver: 2
            }
        let fewer = largest - min(largest, max(0, measured.point.packets ?? 0))
        let isFewer = fewer > max(leastPercent / 100 * largest, 3 + measured.point.uncertainPackets)
        let missing = isFewer ? 200 * fewer / largest : 0
        let jitter = min(1_000, max(0, (measured.point.jitterMilliseconds ?? 0) / leastJitterMilliseconds))
        return (place, Int(missing.rounded()), Int(jitter), measured.sighting.firstPacketAt?.milliseconds ?? .max)
    }
}

// MARK: - Relays

extension StreamPath {
    /// The path of a stream of which a relay sent on nothing.
    init?(notSentOn stream: WireStream, seenBy view: VantageView) {
        (isInbound, kind, source) = (true, stream.kind, String(stream.ssrc))
        points = [PathPoint(before: stream, seenBy: view), PathPoint(nothingSeenBy: view)]
        guard points[0].packets ?? 0 >= Self.leastPackets else { return nil }
        findings = [.neverArrived(from: 0, to: 1)]
    }

    /// A time in which a relay sent on nothing of what came to it: where sound was interrupted, what is missing without a gap
    /// in the numbers.
    private func cut(behind relay: WireStream, _ sighting: StreamSighting, at place: Int) -> [PathFinding] {
        guard kind == .audio, !sighting.view.summary.outages.isEmpty, let wire = sighting.stream?.wire,
            let passed = relay[.packetsReceived], let came = wire[.packetsReceived]
        else { return [] }
        let missing = passed - came - max(0, (wire[.packetsLost] ?? 0) - (relay[.packetsLost] ?? 0))
        guard missing > max(Self.leastUntraced, Self.leastUntracedShare * passed) else { return [] }
        let seconds = relay.lastPacketAt.seconds(since: relay.firstPacketAt)
        return [.cutOff(seconds: missing / passed * seconds, from: place - 1, to: place)]
    }
}

// MARK: - Where

extension StreamPath {
    /// Differences smaller than this share say nothing.
    private static let leastPercent = 0.5
    private static let leastJitterMilliseconds = 5.0

    private func losses() -> [PathFinding] {
        var found: [PathFinding] = []
        var before: (percent: Double, uncertain: Double, index: Int?) = (0, 0, points.first?.place == .sender ? 0 : nil)
        for (index, point) in points.enumerated() {
            guard let missing = point.lossPercent else { continue }
            if point.unrecordedPercent > Self.leastPercent {
                found.append(.unrecorded(percent: point.unrecordedPercent, at: index))
            }
            let percent = missing - point.unrecordedPercent
            let added = percent - before.percent
            if added > max(Self.leastPercent, before.uncertain + point.uncertainPercent) {
                found.append(.lost(percent: added, from: before.index, to: index))
            }
            before = (percent, point.uncertainPercent, index)
        }
        return found
    }

    private func jitters() -> [PathFinding] {
        var found: [PathFinding] = []
        var before: (milliseconds: Double, index: Int?) = (0, points.first?.place == .sender ? 0 : nil)
        var plain = 0.0
        for (index, point) in points.enumerated() {
            guard let jitter = point.jitterMilliseconds else { continue }
            plain = max(plain, point.plainJitterMilliseconds ?? 0)
            // What a receiver says by RTCP is of every packet as it came, overtaken ones and all: so it came to the probe.
            guard !point.isOfControl || jitter > plain else { continue }
            let added = jitter - before.milliseconds
            // What a sender and its network do to the spacing is less than a packet's length.
            let least = before.milliseconds == 0 ? 2 * Self.leastJitterMilliseconds : Self.leastJitterMilliseconds
            if added > max(least, before.milliseconds / 2) {
                found.append(.jitter(milliseconds: added, from: before.index, to: index))
            }
            before = (max(before.milliseconds, jitter), index)
        }
        // Pictures leave in bursts: their jitter says how the sender paces them.
        return kind == .audio ? found : []
    }

    private func receiverFaults(wasCutOff: Bool) -> [PathFinding] {
        guard let index = points.lastIndex(where: { $0.place == .receiver && $0.observer != nil }) else { return [] }
        let point = points[index]
        var found: [PathFinding] = []
        let expected = max(1, (point.packets ?? 0) + max(0, point.lost ?? 0))
        let discarded = kind == .video ? 100 * point.discardedWithPictures / expected : 0
        let late = 100 * (point.discarded ?? 0) / expected - discarded
        if late > Self.leastPercent { found.append(.late(percent: late, at: index)) }
        if discarded > Self.leastPercent { found.append(.discarded(percent: discarded, at: index)) }
        let unexplained = (point.concealedPercent ?? 0) - (point.lossPercent ?? 0) - late - point.uncertainPercent
        if kind == .audio, unexplained > 2, !wasCutOff, !findings.contains(where: \.isGap) {
            found.append(.concealedWithoutLoss(percent: unexplained, at: index))
        }
        return found
    }
}

// MARK: - What is missing without a trace

extension StreamPath {
    /// Time is looked at in pieces of this length, in ms; longer ones where there would be too many.
    private static let pieceMilliseconds: Int64 = 5_000
    private static let mostPieces: Int64 = 720
    /// Sound that is away for as long went one way only; in seconds.
    static let leastCutSeconds = 9.9
    /// A smaller share that is missing without a gap in the numbers is padding, or the edges.
    private static let leastShare = 0.15
    /// Fewer packets, or less time, say nothing of what is missing.
    private static let (leastPackets, leastSeconds) = (50.0, 10.0)
    /// Of a piece with at least so many packets less than this share came where nothing passed.
    private static let (leastPacketsOfPiece, mostOfDarkPiece) = (5.0, 0.02)
    /// What is missing beside an interruption that the receiver tells of is more than this, and that share.
    private static let (leastUntraced, leastUntracedShare) = (25.0, 0.01)

    private func gaps(
        _ sightings: [StreamSighting], _ points: [PathPoint], in span: ClosedRange<Timestamp>, lead: Int
    ) -> [PathFinding] {
        zip(sightings.indices, sightings.indices.dropFirst()).flatMap { before, after in
            gap(
                (sightings[before], points[before]), (sightings[after], points[after]),
                beyond: sightings[(after + 1)...], in: span, from: lead + before, to: lead + after)
        }
    }

    private func gap(
        _ before: (StreamSighting, PathPoint), _ after: (StreamSighting, PathPoint),
        beyond: ArraySlice<StreamSighting>, in span: ClosedRange<Timestamp>, from: Int, to: Int
    ) -> [PathFinding] {
        guard let passed = before.1.packets, let came = after.1.packets, passed >= Self.leastPackets else { return [] }
        if came < 1 { return [.neverArrived(from: from, to: to)] }
        let lostBetween = max(0, (after.1.lost ?? 0) - (before.1.lost ?? 0))
        var (dark, inDark, unwatched) = (0.0, 0.0, 0.0)
        for piece in Self.pieces(of: span) {
            let sent = before.0.count(in: piece).packets
            let arrived = after.0.count(in: piece).packets
            let isNothing = sent >= Self.leastPacketsOfPiece && arrived < Self.mostOfDarkPiece * sent
            // What came to somebody beyond went past a probe by another way.
            guard after.0.watched(piece), !isNothing || !beyond.contains(where: { $0.saw(most: sent, in: piece) })
            else {
                unwatched += max(0, sent - arrived)
                continue
            }
            guard isNothing else { continue }
            dark += Double(piece.upperBound.milliseconds(since: piece.lowerBound)) / 1000
            inDark += sent
        }
        if dark > Self.leastCutSeconds { return [.cutOff(seconds: dark, from: from, to: to)] }
        // Some clients count repeated packets and padding in what they send of pictures; the sender's RTCP does not.
        guard before.0.place != .sender || kind == .audio else {
            return after.0.stream?.senderCount.map { shortfall($0, after.0, from: from, to: to) } ?? []
        }
        let missing =
            passed - came - lostBetween - unwatched - before.1.uncertainPackets - after.1.uncertainPackets
        let seconds = span.upperBound.seconds(since: span.lowerBound)
        // The receiver, or the probe there, says that sound was interrupted, and so much of what was sent has left no trace.
        if !after.0.view.isProbe || kind == .audio, !after.0.view.summary.outages.isEmpty,
            missing > max(Self.leastUntraced, Self.leastUntracedShare * passed)
        {
            return [.cutOff(seconds: missing / passed * seconds, from: from, to: to)]
        }
        let rest = before.1.leastPackets - after.1.mostPackets - lostBetween - unwatched - inDark
        guard rest > Self.leastShare * passed else { return [] }
        return [.forwardedInPart(percent: 100 * came / passed, from: from, to: to)]
    }

    /// By the sender's reports alone: what may lie in the 5 s by which one is older says nothing. Nor does the time for
    /// which the receiver knows that nothing came.
    private func shortfall(_ count: SenderCount, _ receiver: StreamSighting, from: Int, to: Int) -> [PathFinding] {
        let outages = kind == .audio ? receiver.view.summary.outages : []
        let (sent, expected) = (Double(count.packetsSent), Double(max(0, count.packetsExpected)))
        guard count.seconds >= Self.leastSeconds, sent >= Self.leastPackets else { return [] }
        let accounted = expected + outages.reduce(0) { $0 + $1.seconds } / count.seconds * sent
        guard sent - accounted > max(Self.leastShare, 5 / count.seconds) * sent else { return [] }
        return [.forwardedInPart(percent: 100 * accounted / sent, from: from, to: to)]
    }

    private static func pieces(of span: ClosedRange<Timestamp>) -> [ClosedRange<Timestamp>] {
        let length = span.upperBound.milliseconds(since: span.lowerBound)
        let piece = max(pieceMilliseconds, length / mostPieces)
        return stride(from: 0, to: length, by: Int64.Stride(piece)).map { offset in
            let start = span.lowerBound.advanced(byMilliseconds: offset)
            return start...start.advanced(byMilliseconds: min(piece, length - offset))
        }
    }
}

extension PathFinding {
    /// Whether nothing came for a time, or never.
    var isGap: Bool {
        switch self {
        case .cutOff, .neverArrived: true
        default: false
        }
    }
}
