import CallModel

/// Packets lost, and packets lost in runs.
enum LossDetectors {
    static let all: [LevelDetector] = [
        loss(.audio, .inbound, windowSeconds: 10, evidenceSeconds: 9),
        loss(.video, .inbound, windowSeconds: 10, evidenceSeconds: 9),
        // The far end tells of loss every 5 s or so, and in spells of loss less often.
        loss(.audio, .outbound, windowSeconds: 20, evidenceSeconds: 18),
        loss(.video, .outbound, windowSeconds: 20, evidenceSeconds: 18),
        behind(.audio), behind(.video), bursts,
    ]

    private static let source =
        "1 %: Microsoft Teams network targets, Twilio; 3 %: Twilio mean loss; 10 %: Teams CQD poor"

    private static func loss(
        _ media: MediaKind, _ direction: MediaDirection, windowSeconds: Double, evidenceSeconds: Double
    ) -> LevelDetector {
        LevelDetector(
            kind: .packetLoss, media: media, direction: direction, unit: .percent, form: .share(scale: 100),
            raise: 1, clear: 0.5, warning: 3, critical: 10, evidenceSeconds: evidenceSeconds,
            windowSeconds: windowSeconds, leastAmount: 3,
            members: direction == .inbound
                ? ["packetsLost", "packetsReceived", "retransmittedPacketsReceived"]
                : ["remote-inbound-rtp.packetsLost", "packetsSent"],
            source: source,
            reading: { sample in
                guard sample.delta.resumeGapPackets == 0, !sample.delta.isPaddingOnly,
                    let lost = sample.row.packetsLost.map(Double.init),
                    let packets = sample.row.packets.map(Double.init), sample.evidenceSeconds != nil
                else { return nil }
                let isReceived = sample.stream.direction == .inbound
                let taken = min(max(0, lost), takenByBlackout(sample))
                let rest = lost - taken
                let lead = rest > 0 && sample.stream.kind == .video ? sample.delta.missingSecondsBefore : 0
                return IssueReading(
                    amount: rest, base: max(0, isReceived ? max(0, rest) + packets : packets - taken),
                    leadSeconds: lead, seconds: lead > 0 ? sample.delta.activeSeconds + lead : nil,
                    until: sample.delta.sample.lastPacketReceivedAt)
            },
            evidence: { record in
                let counted = record.stream?.direction == .inbound ? "packetsReceived" : "packetsSent"
                let packets = record.stream?.direction == .inbound ? record.base - max(0, record.amount) : record.base
                return [.init("packetsLost", record.amount), .init(counted, packets)]
            })
    }

    private static let lostBehind = WireFigure.packetsLostBehind.name

    /// Loss that a probe cannot see: what the receiver lacks, by its reports, beyond what came by.
    private static func behind(_ media: MediaKind) -> LevelDetector {
        LevelDetector(
            kind: .packetLoss, media: media, direction: .inbound, unit: .percent, form: .share(scale: 100),
            raise: 1, clear: 0.5, warning: 3, critical: 10, evidenceSeconds: 18, windowSeconds: 20, leastAmount: 3,
            idSuffix: "/behind", members: [lostBehind, "packetsReceived"], source: source,
            reading: { sample in
                guard let lost = sample.delta.counted.packetsLostBehind, !sample.delta.isPaddingOnly,
                    let packets = sample.row.packets, sample.evidenceSeconds != nil
                else { return nil }
                return IssueReading(
                    amount: lost, base: Double(packets), until: sample.delta.sample.lastPacketReceivedAt)
            },
            evidence: { [.init(lostBehind, $0.amount), .init("packetsReceived", $0.base)] })
    }

    /// Packets that a blackout took, which is told by itself: a probe counts them; elsewhere it is all that is lost in a
    /// report in which sound was missing.
    static func takenByBlackout(_ sample: IssueSample) -> Double {
        guard let apart = sample.delta.counted.packetsLostInOutages else {
            return sample.isDark ? .infinity : swallowed(before: sample)
        }
        // An outage of pictures alone is told by nothing else.
        let isSilent = sample.stream.kind == .audio || sample.isDark || sample.darkBefore > 0 || sample.owedSeconds > 0
        guard isSilent else { return 0 }
        let missing = sample.darkBefore + (sample.delta.counted.outageSeconds ?? 0)
        return missing >= InterruptionDetectors.leastBlackoutSeconds ? max(0, apart) : 0
    }

    /// Packets of an interruption that went on when the span began, or had just ended: they are missed when the next one comes.
    private static func swallowed(before sample: IssueSample) -> Double {
        guard let packets = sample.row.packets, sample.delta.activeSeconds > 0 else { return 0 }
        let seconds = max(sample.darkBefore, sample.owedSeconds)
        let lost = sample.stream.direction == .inbound ? max(0, sample.row.packetsLost ?? 0) : 0
        return (seconds * Double(packets + lost) / sample.delta.activeSeconds).rounded(.up)
    }

    /// Mean length of what is missing at a time, while packets are being lost.
    private static let bursts = LevelDetector(
        kind: .lossBursts, media: .audio, direction: .inbound, unit: .milliseconds, form: .share(scale: 1000),
        raise: 60, clear: 30, warning: 60, critical: 200, evidenceSeconds: 9, windowSeconds: 20, leastLossPercent: 1,
        members: ["concealedSamples", "concealmentEvents", "packetsLost"],
        source: "60 ms: where the concealment of ITU-T G.711 Appendix I has faded to silence; loss as packetLoss",
        reading: { sample in
            let counted = sample.delta.counted
            guard let events = counted.concealmentEvents, sample.evidenceSeconds != nil else { return nil }
            if let concealed = counted.concealedSamples {
                let seconds = (concealed - sample.delta.forgivenConcealedSamples) / sample.delta.sampleRate
                return IssueReading(
                    amount: seconds, base: events, explained: sample.delta.darkConcealedSeconds,
                    until: sample.delta.sample.lastPacketReceivedAt)
            }
            guard let lost = counted.packetsLost, let packet = sample.delta.sample.packetSeconds else { return nil }
            // A probe tells of runs of 0.4 s and more apart; of them a blackout takes those that make one.
            let taken = min(max(0, counted.packetsLostInOutages ?? 0), takenByBlackout(sample))
            let runs = taken > 0 ? 0 : counted.outageRuns ?? 0
            // Numbers may be missing that no time passed for.
            let seconds = min(max(0, lost - taken) * packet, sample.delta.seconds)
            return IssueReading(
                amount: seconds, base: events + runs,
                until: sample.delta.sample.lastPacketReceivedAt)
        },
        evidence: { record in
            [.init("concealmentEvents", record.base), .init("packetsLost", record.context.lost)]
        })
}
