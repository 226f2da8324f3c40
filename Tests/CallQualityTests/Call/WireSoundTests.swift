import CallModel
import Testing

@testable import CallQuality

/// What a probe's figures of sound are worth.
@Suite struct WireSoundTests {
    private static let begin: Int64 = 1_795_230_000_000

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: begin + Int64(seconds * 1_000))
    }

    /// Sound of 50 packets a second, of which some were lost one by one and others in outages.
    private static func report(
        at seconds: Double, lost: Double = 0, inOutages: Double = 0, outage: TimeSpan? = nil, missing: Double = 0,
        with change: (inout WireStream) -> Void = { _ in }
    ) -> WireReport {
        var stream = WireStream(
            id: "7", ssrc: 7, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .audio,
            payloadType: 0, firstPacketAt: time(0), lastPacketAt: time(seconds))
        stream[.packetsReceived] = 50 * seconds - lost - inOutages
        stream[.packetsLost] = lost + inOutages
        stream[.packetsLostInOutages] = inOutages
        if inOutages > 0 { stream[.lossRunsInOutages] = 1 }
        stream.lossRuns = [Int(lost), 0, 0, 0, 0, 0, 0, 0, 0, inOutages > 0 ? 1 : 0]
        stream[.outageSeconds] = missing
        stream[.pauseSeconds] = 0
        stream.lastOutage = outage
        stream.packetMilliseconds = 20
        change(&stream)
        return WireReport(
            time: time(seconds), receivedAt: time(seconds), streams: [stream], sensor: SensorHealth(),
            audioPacketsSent: Int(50 * seconds))
    }

    private static func summary(_ reports: [WireReport]) throws -> CallSummary {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "sound"))
        var session = CallSession(
            key: CallKey(identity: identity, observer: ObserverID(rawValue: "wire:callee"), attempt: 1))
        _ = session.fold(reports.map(Fact.wire))
        return try #require(session.summary())
    }

    /// Ninety seconds in which from 10 to 40 s so many packets are lost in 5 s; with an outage of 2 s at a time or without.
    private static func call(lost: Double, outageAt: Double?) -> [WireReport] {
        stride(from: 5.0, through: 90, by: 5).map { seconds in
            let singly = lost * max(0, min(6, (seconds - 10) / 5))
            guard let begin = outageAt, seconds > begin else { return report(at: seconds, lost: singly) }
            return report(
                at: seconds, lost: singly, inOutages: 100, outage: TimeSpan(start: time(begin), end: time(begin + 2)),
                missing: 2)
        }
    }

    @Test(arguments: [nil, 21, 71])
    func `loss is told as what it is, whether or not a blackout is beside it`(outageAt: Double?) throws {
        let issues = try Self.summary(Self.call(lost: 7, outageAt: outageAt)).issues.all
        let loss = try #require(issues.first { $0.kind == .packetLoss })
        #expect((2.7..<5).contains(loss.worst?.value ?? 0), "\(String(describing: loss.worst))")
        #expect(loss.evidence.first { $0.member == "packetsLost" }?.value == 42)
        #expect(issues.contains { $0.kind == .blackout } == (outageAt != nil))
    }

    @Test func `packets that a blackout took are no loss beside it`() throws {
        let issues = try Self.summary(Self.call(lost: 0, outageAt: 21)).issues.all
        #expect(issues.map(\.kind) == [.blackout])
    }

    /// A call of eight seconds; the first report tells of so many round trips of 40 ms, the second one of three.
    @Test(arguments: [0.0, 1, 3]) func `the first round trips that a probe has measured count`(atFirst: Double) throws {
        let reports = [(5, atFirst), (8, 3)].map { seconds, count in
            Self.report(at: seconds) { stream in
                stream.lastControlAt = Self.time(seconds - 1)
                guard count > 0 else { return }
                stream[.totalRoundTripTime] = 0.04 * count
                stream[.roundTripTimeMeasurements] = count
            }
        }
        let stream = try #require(Self.summary(reports).streams.first)
        #expect(abs((stream.roundTripMilliseconds ?? 0) - 40) < 1e-6)
    }

    /// How long a sender speaks, and is silent between words.
    private static let rhythms = [(1.0, 1.6), (2, 3), (3, 4), (5, 5), (7, 7), (5, 8)]

    /// Two minutes of a sender that pauses, with what else `change` makes of the seconds that he spoke by a report.
    private static func pausing(
        _ rhythm: (speech: Double, pause: Double), with change: (inout WireStream, _ spoken: Double) -> Void
    ) -> [WireReport] {
        stride(from: 5.0, through: 120, by: 5).map { seconds in
            let (speech, pause) = rhythm
            let rounds = (seconds / (speech + pause)).rounded(.down)
            let spoken = rounds * speech + min(speech, seconds - rounds * (speech + pause))
            return report(at: seconds) { stream in
                stream[.packetsReceived] = (50 * spoken).rounded()
                stream[.pauseSeconds] = seconds - spoken
                change(&stream, spoken)
            }
        }
    }

    /// Of what he sends a tenth is lost.
    @Test(arguments: rhythms)
    func `loss of a sender that pauses is told as of any other`(speech: Double, pause: Double) throws {
        let reports = Self.pausing((speech, pause)) { stream, spoken in
            stream[.packetsReceived] = (45 * spoken).rounded()
            stream[.packetsLost] = (5 * spoken).rounded()
            stream.lossRuns[0] = Int((5 * spoken).rounded())
        }
        let found = try Self.summary(reports).issues.all
        #expect(found.map(\.kind) == [.packetLoss] && found.map(\.severity) == [.critical], "\(found)")
    }

    @Test(arguments: rhythms, [45.0, 10])
    func `jitter of a sender that pauses is told as of any other`(
        rhythm: (Double, Double), milliseconds: Double
    ) throws {
        let reports = Self.pausing(rhythm) { stream, _ in stream[.jitter] = milliseconds / 1_000 }
        let found = try Self.summary(reports).issues.all
        #expect(found.map(\.kind) == (milliseconds > 30 ? [.jitter] : []), "\(found)")
        #expect(found.allSatisfy { $0.worst?.value == milliseconds })
    }

    /// Every 5 s a run of so many packets is lost: the longer ones are outages, and those of a second blackouts.
    @Test(arguments: [
        (300.0, [IssueKind.lossBursts]), (400, [.lossBursts]), (900, [.lossBursts]), (1_000, [.blackout]),
    ])
    func `a long run of lost packets is told as one, until it is a blackout`(
        milliseconds: Double, kinds: [IssueKind]
    ) throws {
        let reports = stride(from: 5.0, through: 60, by: 5).map { seconds in
            let runs = seconds / 5 - 1
            let lost = milliseconds / 20 * runs
            let isOutage = milliseconds >= 400 && runs > 0
            let end = Self.time(seconds - 1)
            let outage = TimeSpan(start: end.advanced(byMilliseconds: -Int64(milliseconds)), end: end)
            return Self.report(
                at: seconds, lost: isOutage ? 0 : lost, inOutages: isOutage ? lost : 0, outage: isOutage ? outage : nil,
                missing: isOutage ? milliseconds / 1_000 * runs : 0
            ) { stream in
                stream.lossRuns = [0, 0, 0, 0, 0, 0, 0, 0, 0, Int(runs)]
                if isOutage { stream[.lossRunsInOutages] = runs }
            }
        }
        let issues = try Self.summary(reports).issues.all
        #expect(Set(issues.map(\.kind)).subtracting([.packetLoss]) == Set(kinds), "\(issues)")
        let burst = issues.first { $0.kind == .lossBursts }
        #expect(burst.map { abs(($0.worst?.value ?? 0) - milliseconds) < 1 } ?? (kinds == [.blackout]))
    }

    /// A sender whose numbers go on 2,500 further, and whose packets come as before.
    @Test func `a run of lost packets is told as no longer than the time in which it was lost`() throws {
        let reports = stride(from: 5.0, through: 60, by: 5).map { seconds in
            Self.report(at: seconds, lost: seconds > 30 ? 2_500 : 0) { stream in
                stream[.packetsReceived] = 50 * seconds
                stream.lossRuns = [0, 0, 0, 0, 0, 0, 0, 0, 0, seconds > 30 ? 1 : 0]
            }
        }
        let burst = try Self.summary(reports).issues.all.first { $0.kind == .lossBursts }
        #expect(burst?.worst?.value == 5_000)
    }

    @Test func `losses in a row are counted without those of outages`() {
        let report = Self.report(
            at: 30, lost: 6, inOutages: 100, outage: TimeSpan(start: Self.time(21), end: Self.time(23)), missing: 2)
        #expect(WireReader(report: report).samples().map(\.sample.counters.concealmentEvents) == [6])
    }

    /// Two seconds are missing: numbers are, or nothing came after them, or packets were held back.
    @Test(arguments: [
        (TimeSpan(start: time(18), end: time(20)), 100, "sequenceNumber"),
        (TimeSpan(start: time(18), end: time(20)), 0, "lastPacketReceivedTimestamp"),
        (TimeSpan(start: time(18), end: nil), 0, "packetsReceived"), (nil, 0, "lastPacketReceivedTimestamp"),
    ])
    func `an outage says from what it is known`(outage: TimeSpan?, lost: Double, evidence: String) throws {
        let before = stride(from: 5.0, through: 15, by: 5).map { Self.report(at: $0) }
        let outages = try Self.summary(
            before + [Self.report(at: 20, inOutages: lost, outage: outage, missing: 2)]
        ).outages
        #expect(outages.map(\.evidence) == [[evidence]])
    }

    @Test func `an outage by numbers that ends with the report is no sound that goes one way`() {
        var detector = OneWayDetector()
        for seconds in [5.0, 10, 15, 20] {
            let span = OneWayDetector.Span(inbound: seconds == 5 ? 250 : 0, outbound: 250, others: 1, seconds: 5)
            detector.take(span, at: Self.time(seconds))
        }
        #expect(detector.isFound)
        let outage = MediaOutage(
            span: TimeSpan(start: Self.time(5), end: Self.time(20)), seconds: 15, evidence: ["sequenceNumber"])
        detector.leaveOut(lostIn: [outage])
        #expect(!detector.isFound)
    }

    /// What an end sends is seen by a probe, but for 20 s; of the packets of those it tells by their numbers in the report
    /// after them, or by none.
    @Test(arguments: [(1_250.0, false), (250, true)])
    func `what was sent and lost before the probe is no sound that goes one way`(outbound: Double, isOneWay: Bool) {
        var detector = OneWayDetector()
        for seconds in stride(from: 5.0, through: 30, by: 5) {
            let sent = seconds < 10 ? 250 : seconds < 30 ? 0 : outbound
            let span = OneWayDetector.Span(inbound: 250, outbound: sent, seconds: 5)
            detector.take(span, at: Self.time(seconds))
        }
        #expect(detector.isFound == isOneWay)
    }

    /// Pictures of 100 packets a second, of which 150 are lost in an outage, alone or with the sound.
    @Test(arguments: [(0.0, [IssueKind.packetLoss]), (75, [.blackout])])
    func `an outage of pictures alone is told as loss`(lostSound: Double, kinds: [IssueKind]) throws {
        let outage = TimeSpan(start: Self.time(21), end: Self.time(22.5))
        let reports = stride(from: 5.0, through: 60, by: 5).map { seconds in
            let hasOutage = seconds > 21
            let sound = Self.report(
                at: seconds, inOutages: hasOutage ? lostSound : 0, outage: hasOutage && lostSound > 0 ? outage : nil,
                missing: hasOutage && lostSound > 0 ? 1.5 : 0)
            var picture = WireStream(
                id: "8", ssrc: 8, source: "10.77.0.0/24:4002", destination: "10.78.0.0/24:5006", kind: .video,
                payloadType: 96, firstPacketAt: Self.time(0), lastPacketAt: Self.time(seconds))
            picture[.packetsReceived] = 100 * seconds - (hasOutage ? 150 : 0)
            picture[.packetsLost] = hasOutage ? 150 : 0
            picture[.packetsLostInOutages] = hasOutage ? 150 : 0
            picture[.outageSeconds] = hasOutage ? 1.5 : 0
            picture[.pauseSeconds] = 0
            picture.lastOutage = hasOutage ? outage : nil
            return WireReport(
                time: sound.time, receivedAt: sound.time, streams: sound.streams + [picture], sensor: SensorHealth(),
                audioPacketsSent: Int(50 * seconds))
        }
        #expect(try Self.summary(reports).issues.all.map(\.kind) == kinds)
    }
}
