import CallModel
import RTPMeter

extension WireStream {
    /// A snapshot of a stream, without what RTCP tells: of one that goes on at a time, or of all that came.
    init(_ state: StreamState, terms: MediaTerms?, hasHoles: Bool, goingOnAt time: ArrivalTime?) {
        let figures = state.meter.figures(waitingAt: time)
        // Nothing but telephone events, or comfort noise, has no payload type of media. Noise is heard, and events are not.
        let payloadType = figures.payloadType ?? state.firstPayloadType
        let isHeard = figures.payloadType != nil || figures.comfortNoisePackets > 0
        let role = !isHeard ? Role.events : state.hasPayload ? .primary : .data
        self.init(
            id: state.name, ssrc: state.identity.ssrc,
            source: state.source, destination: state.destination, kind: state.kind,
            role: state.role == .primary ? role : state.role,
            payloadType: Int(payloadType),
            firstPacketAt: (figures.firstArrival ?? ArrivalTime(nanoseconds: 0)).timestamp,
            lastPacketAt: (figures.lastArrival ?? ArrivalTime(nanoseconds: 0)).timestamp)
        describe(payloadType, figures, terms)
        fillCounts(figures, hasHoles: hasHoles)
        fillTimes(figures)
        fillLoss(figures)
    }

    private mutating func describe(_ payloadType: UInt8, _ figures: RTPStreamFigures, _ terms: MediaTerms?) {
        let payload = terms?[payloadType]
        let name =
            payload?.encoding ?? StaticPayloadType.entry(for: payloadType)?.name
            ?? guess(payloadType, figures)
        codec = name.map { "\(terms?.dataKind(of: payloadType) ?? kind.rawValue)/\($0)" }
        formatParameters = payload?.parameters
        isEncrypted = terms?.isEncrypted(payloadType)
        clockRate = figures.clock.map { Int($0.hertz) }
        clockOrigin = figures.clock.map {
            switch $0.source {
            case .signalled: .signalled
            case .static: .static
            case .inferred: .inferred
            }
        }
        packetMilliseconds = figures.packetSeconds.flatMap { seconds in
            kind == .audio && Self.isUpdate(seconds: seconds, figures) ? nil : 1000 * seconds
        }
    }

    /// Whether packets so far apart are updates in a silence, and do not last as long: Opus has one in 400 ms
    /// (RFC 6716 §2.1.9), AMR one of 5 bytes in 160 (3GPP TS 26.093 §5.1.2).
    private static func isUpdate(seconds: Double, _ figures: RTPStreamFigures) -> Bool {
        seconds > longestPacket
            || Double(8 * figures.payloadBytes) < leastBitRate * seconds * Double(figures.unique)
    }

    /// Sound in one packet, in seconds, at most ([RFC 3551 §4.2](https://www.rfc-editor.org/rfc/rfc3551#section-4.2)).
    private static let longestPacket = 0.2

    /// No sound takes fewer bits a second: MELPe at its lowest rate, of all that RTP carries
    /// ([RFC 8130 §1](https://www.rfc-editor.org/rfc/rfc8130#section-1)).
    private static let leastBitRate = 600.0

    /// What a stream that nothing describes is taken for: of the formats without a static payload type
    /// ([RFC 3551 §6](https://www.rfc-editor.org/rfc/rfc3551#section-6)) Opus alone is in wide use with a clock of 48 kHz
    /// ([RFC 7587 §4.1](https://www.rfc-editor.org/rfc/rfc7587#section-4.1)), and it never takes more than 510 kbit/s
    /// ([RFC 6716 §2.1.1](https://www.rfc-editor.org/rfc/rfc6716#section-2.1.1)). libwebrtc sends it in RED
    /// ([RFC 2198](https://www.rfc-editor.org/rfc/rfc2198)), with the packet before in each, as payload type 63.
    private func guess(_ payloadType: UInt8, _ figures: RTPStreamFigures) -> String? {
        let isRED = payloadType == 63
        guard kind == .audio, role == .primary, payloadType >= 96 || isRED, let clock = figures.clock,
            clock.source == .inferred, clock.hertz == 48_000, let packetSeconds = figures.packetSeconds
        else { return nil }
        let mostBits = 510_000 * packetSeconds * Double(figures.unique) * (isRED ? 2 : 1)
        guard Double(8 * figures.payloadBytes) <= mostBits else { return nil }
        return isRED ? "red" : "opus"
    }

    private mutating func fillCounts(_ figures: RTPStreamFigures, hasHoles: Bool) {
        // A network that repeats every other packet does not exist; a mirror port that shows both directions does.
        let isDoubled = figures.closeDuplicates >= 10 && 2 * figures.closeDuplicates >= figures.unique
        let doubled = isDoubled ? figures.closeDuplicates : 0
        self[.packetsReceived] = Double(figures.unique)
        self[.packetsLost] = Double(figures.lost)
        self[.packetsLostInOutages] = figures.packetSeconds.map { _ in
            Double(min(figures.lossGapPackets, figures.lost))
        }
        if figures.packetSeconds != nil, figures.lossGaps > 0 { self[.lossRunsInOutages] = Double(figures.lossGaps) }
        self[.packetsDuplicated] = Double(figures.duplicates - doubled)
        self[.packetsRecordedTwice] = Double(doubled)
        self[.packetsReordered] = Double(figures.reordered)
        self[.packetsRejected] = Double(figures.rejected)
        self[.sequenceRestarts] = Double(figures.restarts)
        // What looked like a hole, and was found to be none, is no fault of the capture.
        let missed = hasHoles ? figures.missedPackets : 0
        if missed > 0 { self[.packetsMissedByCapture] = Double(missed) }
        if figures.forgivenPackets > missed { self[.packetsSkipped] = Double(figures.forgivenPackets - missed) }
        self[.bytesReceived] = Double(figures.payloadBytes)
        self[.paddingPackets] = Double(figures.paddingPackets)
        self[.comfortNoisePackets] = Double(figures.comfortNoisePackets)
        self[.telephoneEventPackets] = Double(figures.telephoneEventPackets)
        self[.telephoneEvents] = Double(figures.telephoneEvents)
        self[.markers] = Double(figures.markers)
    }

    private mutating func fillTimes(_ figures: RTPStreamFigures) {
        self[.jitter] = figures.jitter?.currentSeconds
        self[.meanJitter] = figures.jitter?.meanSeconds
        self[.maximumJitter] = figures.jitter?.maximumSeconds
        self[.plainJitter] = figures.plainJitter?.currentSeconds
        self[.maximumPlainJitter] = figures.plainJitter?.maximumSeconds
        self[.minimumDelta] = figures.delta.map { $0.minimumMilliseconds / 1000 }
        self[.meanDelta] = figures.delta.map { $0.meanMilliseconds / 1000 }
        self[.maximumDelta] = figures.longestGapSeconds
        self[.delayVariation95] = figures.delayVariation95Seconds
        self[.maximumSkew] = figures.skewSeconds
        self[.clockDrift] = figures.driftPartsPerMillion
        self[.outageSeconds] = figures.lossGapSeconds + figures.stallSeconds
        self[.pauseSeconds] = figures.pauseSeconds
        lastOutage = figures.lastLossGap.map { TimeSpan(start: $0.start.timestamp, end: $0.end.timestamp) }
        let samples = figures.jitter?.samples ?? 0
        let steps = TransitSteps.limitsMilliseconds.indices.map { figures.transitSteps[$0] }
        delayBuckets = [max(0, samples - steps.reduce(0, +))] + steps
    }

    private mutating func fillLoss(_ figures: RTPStreamFigures) {
        lossRuns = LossRuns.lengths.map { figures.lossRuns[$0] }
        // What was measured by a clock that the sender has left remains.
        if figures.clock != nil || figures.buffers.packets > 0 {
            self[.packetsDiscarded] = Double(figures.buffers.lateAdaptive)
            self[.lateSeconds] = figures.buffers.lateSeconds
            self[.stretchedSeconds] = figures.buffers.stretchedSeconds
            self[.packetsLateFor60Milliseconds] = Double(figures.buffers.late60)
            self[.packetsLateFor200Milliseconds] = Double(figures.buffers.late200)
            self[.jitterBufferDelay] = figures.buffers.adaptiveDelaySumSeconds
            self[.jitterBufferEmittedCount] = Double(figures.buffers.adaptiveEmitted)
        }
        self[.burstDensity] = figures.burstGap?.burstDensity
        self[.gapDensity] = figures.burstGap?.gapDensity
        self[.burstDuration] = figures.burstGap?.burstSeconds
        self[.gapDuration] = figures.burstGap?.gapSeconds
        self[.longestLossRun] = Double(figures.lossRuns.longest)
    }
}
