import CallModel

/// Jitter and round trip.
enum DelayDetectors {
    static let jitter = LevelDetector(
        kind: .jitter, media: .audio, direction: nil, unit: .milliseconds, form: .level, raise: 30, clear: 20,
        warning: 30, critical: 100, evidenceSeconds: 12, windowSeconds: 20, members: ["jitter"],
        source: "30 ms: Microsoft Teams network targets, Twilio; 100 ms: webrtc-stats-analyzer",
        reading: { sample in
            guard let jitter = sample.row.jitterMilliseconds, isOfFlow(sample), isFresh(sample), !isBetweenWords(sample)
            else { return nil }
            return IssueReading(amount: jitter, base: 1, until: sample.delta.sample.lastPacketReceivedAt)
        },
        evidence: { [.init("jitter", $0.worst / 1000)] })

    /// Whether it is of media that flowed. A probe leaves the time in which a sender paused out of it; what a client tells may
    /// be of a hold.
    private static func isOfFlow(_ sample: IssueSample) -> Bool {
        guard sample.delta.heldSeconds > 0 else { return true }
        return sample.delta.counted.senderPausedSeconds != nil && sample.evidenceSeconds != nil
    }

    /// Fewer packets a second are no sound that flows.
    private static let leastFlow = 10.0

    /// Whether its sender, as a client tells, may have fallen silent between words (DTX): the few packets that it sends then are not
    /// sent at even times.
    private static func isBetweenWords(_ sample: IssueSample) -> Bool {
        guard sample.delta.sample.codec?.mayUseDTX != false, sample.delta.counted.senderPausedSeconds == nil,
            let packets = sample.row.packets
        else { return false }
        return Double(packets) < leastFlow * sample.delta.activeSeconds
    }

    private static func isFresh(_ sample: IssueSample) -> Bool {
        guard sample.stream.direction == .outbound else { return !sample.isDark }
        guard let arrived = sample.delta.sample.farEnd?.arrivedAt else { return false }
        return sample.delta.end.seconds(since: arrived) <= FarEndSample.longestAgeSeconds
    }

    /// Of a connection: fed with the mean round trip of each report that measured one.
    static let roundTrip = LevelDetector(
        kind: .delay, media: nil, direction: nil, unit: .milliseconds, form: .level, raise: 200, clear: 170,
        warning: 300, critical: 600, evidenceSeconds: 12, windowSeconds: 20,
        members: ["roundTripTime", "totalRoundTripTime", "roundTripTimeMeasurements"],
        source: "200 ms: twice the 100 ms where Idd of ITU-T G.107 begins; 300 ms: twice the 150 ms of G.114;"
            + " 600 ms: webrtc-stats-analyzer",
        reading: { _ in nil }, evidence: { [.init("roundTripTime", $0.worst / 1000)] })
}
