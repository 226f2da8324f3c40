import CallModel
import TestSupport
import Testing

@testable import CallReport

/// What several observers saw of one stream, and what follows from it; records by hand.
@Suite struct VantageJoinTests {
    /// A stream over a minute, in rows of so many seconds.
    private struct Seen {
        var direction = MediaDirection.inbound
        var kind = MediaKind.audio
        var source = "7"
        var rowSeconds: Int64 = 10
        /// Packets and losses of the row that begins so many seconds after the start.
        var counts: (Int64) -> (packets: Int, lost: Int?) = { _ in (500, 0) }
        var jitter: Double? = 1
        var concealed: Double?
        /// Packets discarded in each row, and pictures dropped, in percent.
        var discarded: Int?
        var dropped: Double?
        var isWire = false
        /// By the receiver's RTCP, what it lacks beyond a probe.
        var lostBehind: Double?
        var figures: [WireFigure: Double] = [:]
    }

    private func observer(_ name: String, call: String = "c", clock: Int64 = 0, _ seen: [Seen]) -> CallRecord {
        var summary = Records.summary(Records.key(call, observer: name), lasting: 60_000)
        summary.start = Records.at(clock)
        summary.lastActivity = Records.at(60_000 + clock)
        var intervals: [MediaInterval] = []
        for stream in seen {
            let key = StreamKey(
                connection: .only, direction: stream.direction, kind: stream.kind, source: stream.source)
            var total = StreamSummary(stream: key, firstSeen: Records.at(clock), lastSeen: Records.at(60_000 + clock))
            total.packets = 0
            for start in stride(from: 0, to: Int64(60), by: Int64.Stride(stream.rowSeconds)) {
                var row = MediaInterval(
                    stream: key, start: Records.at(1000 * start + clock),
                    end: Records.at(1000 * (start + stream.rowSeconds) + clock), segment: 0)
                let (packets, lost) = stream.counts(start)
                (row.packets, row.packetsLost) = (packets, lost)
                (row.jitterMilliseconds, row.concealedPercent) = (packets > 0 ? stream.jitter : nil, stream.concealed)
                row.packetsDiscarded = stream.discarded
                row.metrics[.framesDroppedPercent] = stream.dropped
                total.packets = (total.packets ?? 0) + packets
                if let lost { total.packetsLost = (total.packetsLost ?? 0) + lost }
                intervals.append(row)
            }
            if stream.isWire {
                summary.sensor = SensorHealth()
                total.wire = WireStream(
                    id: stream.source, ssrc: UInt32(stream.source) ?? 0, source: "", destination: "",
                    kind: stream.kind, payloadType: 0, firstPacketAt: Records.at(clock),
                    lastPacketAt: Records.at(60_000 + clock))
                total.wire?[.packetsLostBehind] = stream.lostBehind
                for (figure, value) in stream.figures { total.wire?[figure] = value }
            }
            summary.streams.append(total)
        }
        var record = Records.record(summary)
        record.intervals = intervals
        return record
    }

    private func join(_ own: CallRecord, _ others: [CallRecord]) -> [StreamPath] {
        var own = own
        own.others = others.map(\.summary)
        for other in others { own.otherIntervals[other.summary.key] = other.intervals }
        return VantageJoin(own).paths
    }

    private func names(_ path: StreamPath?) -> [String?] { path?.points.map(\.name) ?? [] }

    private var sender: CallRecord { observer("caller", [Seen(direction: .outbound, counts: { _ in (500, nil) })]) }

    /// Of 500 packets in 10 s so many are missing.
    private func losing(_ lost: Int, rowSeconds: Int64 = 10) -> (Int64) -> (packets: Int, lost: Int?) {
        { _ in ((500 - lost) * Int(rowSeconds) / 10, lost * Int(rowSeconds) / 10) }
    }

    // MARK: Loss

    @Test(arguments: [(before: 0, after: 24), (24, 24), (24, 48), (0, 0)])
    func `loss is told between the two between which it arose`(before: Int, after: Int) {
        let probe = observer("wire:callee", [Seen(rowSeconds: 5, counts: losing(before, rowSeconds: 5), isWire: true)])
        let receiver = observer("callee", [Seen(counts: losing(after))])
        for (own, others) in [(sender, [probe, receiver]), (probe, [sender, receiver]), (receiver, [probe, sender])] {
            let paths = join(own, others)
            #expect(paths.count == 1 && names(paths.first) == ["caller", "wire", "callee"])
            var expected: [PathFinding] = before > 0 ? [.lost(percent: 4.8, from: 0, to: 1)] : []
            if after > before { expected.append(.lost(percent: 4.8, from: 1, to: 2)) }
            #expect(paths.first?.findings == expected)
        }
    }

    @Test(arguments: [
        (-150, [PathFinding.unrecorded(percent: 4.8, at: 1)]),
        (-90, [.unrecorded(percent: 3, at: 1), .lost(percent: 4.8 - 3, from: 0, to: 1)]),
        (-9, [.lost(percent: 4.8, from: 0, to: 1)]),
    ])
    func `what a probe missed and the receiver has was not lost before the probe`(
        lostBehind: Double, findings: [PathFinding]
    ) {
        let probe = observer(
            "wire:callee",
            [Seen(rowSeconds: 5, counts: losing(24, rowSeconds: 5), isWire: true, lostBehind: lostBehind)])
        #expect(join(sender, [probe]).first?.findings == findings)
    }

    @Test func `a difference that may lie in reports that reach beyond the common time says nothing`() {
        // All loss of the one is in a report of which half lies after the other's last.
        let probe = observer(
            "wire:callee", [Seen(rowSeconds: 30, counts: { $0 == 30 ? (1400, 100) : (1500, 0) }, isWire: true)])
        var receiver = observer("callee", [Seen(counts: losing(0))])
        receiver.intervals.removeLast(2)
        #expect(join(receiver, [probe]).first?.findings == [])
    }

    @Test func `of two probes the one that has more is nearer to the sender`() {
        let near = observer("a:callee", [Seen(counts: losing(0), isWire: true)])
        let far = observer("b:callee", [Seen(counts: losing(40), isWire: true)])
        let path = join(far, [near]).first
        #expect(names(path) == ["a", "b"])
        #expect(path?.findings == [.lost(percent: 8, from: 0, to: 1)])
    }

    @Test(arguments: [498, 500, 502])
    func `of two probes that differ by what was cut off the one with less jitter is nearer to the sender`(near: Int) {
        let near = observer("b:callee", [Seen(counts: { _ in (near, 0) }, jitter: 1, isWire: true)])
        let far = observer("a:callee", [Seen(counts: { _ in (500, 0) }, jitter: 25, isWire: true)])
        #expect(names(join(far, [near]).first) == ["b", "a"])
    }

    @Test func `what is true of many streams is said once, and of many findings the first are told`() {
        func lines(_ seen: [Seen]) -> [String] {
            let context = ReportContext(record: observer("caller", seen), now: Records.nowLongAfter, columns: 400)
            return VantageSection(context: context).lines.dropFirst().map { $0.rendered(isColoured: false) }
        }
        let sentence = "10.0 % of the packets were lost on the way from the far end to here"
        let alike = (10..<40).map { Seen(source: "\($0)", counts: losing(50)) }
        #expect(lines(alike) == ["  in audio, 30 streams: \(sentence)"])
        let many = lines((50..<75).map { Seen(source: "\($0)", counts: losing($0)) })
        #expect([many.first, many.dropFirst(20).first] == ["  in audio: \(sentence)", Self.rest])
    }

    private static let rest = "  … 5 more findings, in the JSON report"

    @Test func `one client's record tells the direction`() {
        let alone = observer(
            "caller",
            [
                Seen(source: "1", counts: losing(0)),
                Seen(direction: .outbound, source: "2", counts: { _ in (500, 50) }, jitter: 2),
            ])
        let paths = join(alone, [])
        #expect(paths.map(\.findings) == [[.lost(percent: 10, from: 0, to: 1)]])
        #expect(paths.first?.sentences == ["10.0 % of the packets were lost on the way to the far end"])
        let other = observer("caller", [Seen(source: "1", counts: losing(50))])
        #expect(
            join(other, []).flatMap(\.sentences) == [
                "10.0 % of the packets were lost on the way from the far end to here"
            ])
    }

    /// Of 3,000 packets 336 were missing at a probe, and the receiver says the same.
    private static let reported: [WireFigure: Double] = [
        .packetsSent: 1_800, .receiverReports: 6, .receiverPacketsLost: 336, .receiverPacketsExpected: 3_000,
    ]

    @Test func `what a receiver lost is held against what its report is of, not against an earlier sender's count`() {
        var seen = Seen(counts: losing(56), isWire: true, figures: Self.reported)
        #expect(join(observer("wire:callee", [seen]), []).first?.findings == [.lost(percent: 11.2, from: 0, to: 1)])
        seen.figures[.receiverPacketsLost] = 936
        #expect(
            join(observer("wire:callee", [seen]), []).first?.findings
                == [.lost(percent: 11.2, from: 0, to: 1), .lost(percent: 31.2 - 11.2, from: 1, to: 2)])
    }

    // MARK: Direction, time

    @Test func `the same SSRC in both directions is told apart by the ends`() {
        let own = observer("a:callee", [Seen(counts: losing(0), isWire: true)])
        let same = observer("b:callee", [Seen(counts: losing(20), isWire: true)])
        let opposite = observer("b:caller", [Seen(counts: losing(200), isWire: true)])
        let ownOpposite = observer("a:caller", [Seen(counts: losing(100), isWire: true)])
        let path = join(own, [opposite, same, ownOpposite]).first
        #expect(path?.points.map(\.observer?.rawValue) == ["a:callee", "b:callee"])
        #expect(path?.findings == [.lost(percent: 4, from: 0, to: 1)])
        let unnamed = join(observer("client", [Seen(counts: losing(0))]), [same, opposite])
        #expect(unnamed.allSatisfy { $0.observers == 1 })
    }

    @Test func `another call with the same SSRC at another time is not joined`() {
        let receiver = observer("callee", [Seen(counts: losing(0))])
        var probe = observer("wire:callee", clock: 3_600_000, [Seen(counts: losing(100), isWire: true)])
        #expect(join(receiver, [probe]).isEmpty)
        // Unless both clocks are known, and it is the clock that is off.
        var own = receiver
        own.summary.dataQuality.clockOffsetMilliseconds = 40
        probe.summary.dataQuality.clockOffsetMilliseconds = -3_599_960
        #expect(join(own, [probe]).first?.points.count == 2)
    }

    // MARK: Gaps

    @Test func `sound that stops on the way is cut off`() {
        let near = observer("a:caller", [Seen(counts: losing(0), isWire: true)])
        let far = observer("b:caller", [Seen(counts: { $0 < 20 ? (500, 0) : (0, 0) }, isWire: true)])
        let path = join(far, [near]).first
        #expect(path?.findings == [.cutOff(seconds: 40, from: 0, to: 1)])
    }

    /// What a probe saw that let go of a call whose media ended after 20 s, and until when it watched, in seconds.
    private func letGo(watching seconds: Int64?) -> CallRecord {
        var probe = observer("wire:callee", [Seen(isWire: true)])
        probe.intervals.removeAll { $0.start >= Records.at(20_000) }
        probe.summary.lastActivity = Records.at(20_000)
        probe.summary.sensor?.watchedUntil = seconds.map { Records.at(1_000 * $0) }
        return probe
    }

    @Test func `a probe tells of a silence for as long as it watched`() {
        let receiver = observer("callee", [Seen(counts: { $0 < 20 ? (500, 0) : (0, 0) })])
        let found = [nil, 28, 35, 50, 90].map { join(receiver, [sender, letGo(watching: $0)]).first?.findings }
        #expect(
            found == [
                [], [], [.cutOff(seconds: 15, from: 0, to: 1)], [.cutOff(seconds: 30, from: 0, to: 1)],
                [.cutOff(seconds: 40, from: 0, to: 1)],
            ])
    }

    @Test func `what goes on past a probe by another way is neither silence nor passed in part`() {
        let receiver = observer("callee", [Seen()])
        #expect(join(receiver, [sender, letGo(watching: 50)]).first?.findings == [])
    }

    @Test(arguments: [MediaKind.audio, .video], [true, false])
    func `sound that no number misses, in an outage that a probe tells of, did not pass`(
        kind: MediaKind, isTold: Bool
    ) {
        let near = observer("a:callee", [Seen(kind: kind, rowSeconds: 5, counts: { _ in (250, 0) }, isWire: true)])
        var far = observer(
            "b:callee", [Seen(kind: kind, rowSeconds: 5, counts: { ($0 < 55 ? 250 : 50, 0) }, isWire: true)])
        if isTold {
            let span = TimeSpan(start: Records.at(56_000), end: Records.at(60_000))
            far.summary.outages = [MediaOutage(span: span, seconds: 4, evidence: [])]
        }
        let isExpected = isTold && kind == .audio
        #expect(join(far, [near]).first?.findings == (isExpected ? [.cutOff(seconds: 4, from: 0, to: 1)] : []))
    }

    @Test func `what was sent and never came is told, from either end`() {
        let silent = observer("callee", [Seen(direction: .outbound, source: "8", counts: { _ in (500, nil) })])
        let own = join(sender, [silent]).first { $0.source == "7" }
        #expect(names(own) == ["caller", "callee"] && own?.findings == [.neverArrived(from: 0, to: 1)])
        let other = join(silent, [sender]).first { $0.source == "7" }
        #expect(other?.isInbound == true && other?.findings == [.neverArrived(from: 0, to: 1)])
        // What nobody sent is not missing.
        let idle = observer("caller", [Seen(direction: .outbound, counts: { _ in (0, nil) })])
        #expect(!join(silent, [idle]).contains { $0.source == "7" })
    }

    @Test func `a layer that a server leaves out is no loss`() {
        let near = observer("wire:callee", [Seen(kind: .video, counts: { _ in (900, 0) }, isWire: true)])
        let receiver = observer("callee", [Seen(kind: .video, counts: { _ in (300, 0) })])
        let path = join(receiver, [near]).first
        #expect(path?.findings == [.forwardedInPart(percent: 100.0 / 3, from: 0, to: 1)])
    }

    @Test func `of pictures the count of a client that sends is not held against anybody, that of its RTCP is`() {
        // Firefox counts what it repeats, and padding, as packets sent.
        let sent = observer("caller", [Seen(direction: .outbound, kind: .video, counts: { _ in (900, nil) })])
        var receiver = observer("callee", [Seen(kind: .video, counts: { _ in (500, 0) })])
        #expect(join(receiver, [sent]).first?.findings == [])
        receiver.summary.streams[0].senderCount = SenderCount(packetsSent: 6000, packetsExpected: 3000, seconds: 60)
        #expect(join(receiver, [sent]).first?.findings == [.forwardedInPart(percent: 50, from: 0, to: 1)])
        // Of sound they are what was sent.
        let spoken = observer("caller", [Seen(direction: .outbound, counts: { _ in (900, nil) })])
        let heard = observer("callee", [Seen(counts: { _ in (500, 0) })])
        #expect(join(heard, [spoken]).first?.findings == [.forwardedInPart(percent: 100 * 5 / 9, from: 0, to: 1)])
    }

    @Test func `a report in which media began is not held against the path`() {
        // The client's first report has 30 s, in the last 9 s of which sound flowed.
        var receiver = observer("callee", [Seen(rowSeconds: 30, counts: { _ in (450, 0) })])
        receiver.intervals.removeLast()
        var probe = observer(
            "wire:callee", clock: 21_000, [Seen(rowSeconds: 3, counts: { _ in (150, 0) }, isWire: true)])
        probe.intervals.removeLast(17)
        let path = join(receiver, [probe]).first
        #expect(path?.points.map(\.packets) == [450, 135])
        #expect(path?.findings == [])
    }

    @Test(arguments: [false, true]) func `what a client did not watch did not fail to pass`(isReported: Bool) {
        // From 20 s to 40 s the stream is in none of its reports, or no packet is counted in them.
        let probe = observer("wire:callee", [Seen(counts: losing(0), isWire: true)])
        var receiver = observer("callee", [Seen(counts: { (20..<40).contains($0) ? (0, 0) : (500, 0) })])
        if !isReported { receiver.intervals.removeSubrange(2..<4) }
        #expect(
            join(receiver, [probe]).first?.findings
                == (isReported ? [.cutOff(seconds: 20, from: 0, to: 1)] : []))
    }

    @Test(arguments: [(sent: 6000, told: true), (3100, false), (0, false), (.max, true)])
    func `one client tells by the sender's own count that it gets only part`(sent: Int, told: Bool) {
        var record = observer("callee", [Seen(kind: .video, counts: losing(0))])
        record.summary.streams[0].senderCount = SenderCount(
            packetsSent: sent, packetsExpected: 3000, seconds: 60)
        let findings = join(record, []).flatMap(\.findings)
        #expect(findings == (told ? [.forwardedInPart(percent: 100 * 3000 / Double(sent), from: 0, to: 1)] : []))
    }

    @Test(arguments: [(seconds: 27.0, told: false), (5, true)])
    func `what was sent while nothing came is not left out by a server`(seconds: Double, told: Bool) {
        var record = observer("callee", [Seen(counts: losing(0))])
        record.summary.streams[0].senderCount = SenderCount(packetsSent: 3000, packetsExpected: 1700, seconds: 60)
        let start = Records.start.advanced(byMilliseconds: 15_000)
        let end = start.advanced(byMilliseconds: Int64(1000 * seconds))
        record.summary.outages = [MediaOutage(span: TimeSpan(start: start, end: end), seconds: seconds, evidence: [])]
        let findings = join(record, []).flatMap(\.findings)
        #expect(findings == (told ? [.forwardedInPart(percent: 100 * 1950 / 3000, from: 0, to: 1)] : []))
    }

    // MARK: Jitter, receiver

    @Test func `jitter is told where it grew, and what the receiver made up beyond need`() {
        let probe = observer("wire:callee", [Seen(counts: losing(0), jitter: 2, isWire: true)])
        let receiver = observer("callee", [Seen(counts: losing(0), jitter: 22, concealed: 8)])
        let path = join(receiver, [sender, probe]).first
        #expect(
            path?.findings == [
                .jitter(milliseconds: 20, from: 1, to: 2),
                .concealedWithoutLoss(percent: 8 - 0.1, at: 2),
            ])
    }

    @Test(arguments: [(0.014, 0, nil), (0.040, 0, 36), (0.040, 1_500, nil)] as [(Double, Double, Double?)])
    func `a receiver's reports tell jitter of every packet as it came`(receiver: Double, twice: Double, told: Double?) {
        let own: [WireFigure: Double] = [.maximumPlainJitter: 0.022, .packetsRecordedTwice: twice]
        let figures = Self.reported.merging(own.merging([.receiverJitter: receiver]) { $1 }) { $1 }
        let probe = observer("wire:callee", [Seen(counts: losing(56), jitter: 4, isWire: true, figures: figures)])
        let findings = join(probe, []).first?.findings.dropFirst()
        #expect(findings.map(Array.init) == (told.map { [.jitter(milliseconds: $0, from: 1, to: 2)] } ?? []))
    }

    @Test(arguments: [nil, 0, 6.8]) func `pictures that a receiver drops take their packets along`(dropped: Double?) {
        let video = observer("callee", [Seen(kind: .video, counts: losing(0), discarded: 20, dropped: dropped)])
        let path = join(video, []).first
        let isDropped = dropped ?? 0 > 0
        #expect(path?.findings == [isDropped ? .discarded(percent: 4, at: 0) : .late(percent: 4, at: 0)])
        #expect(
            path?.sentences == [
                isDropped
                    ? "4.0 % were thrown away in the receiver, with pictures that it dropped"
                    : "4.0 % came too late for the receiver's buffer"
            ])
    }

    // MARK: Anything

    @Test func `figures of any size and times in any order make a report`() {
        var random = RandomSource(seed: 5)
        let extremes: [Int] = [0, 1, -1, 500, .max, .min, 1 << 40]
        let times: [Int64] = [0, 1, -1, 60_000, .max / 4, .min / 4]
        for _ in 0..<300 {
            var records = ["caller", "callee", "a:callee", "b:caller"].map { name in
                observer(
                    name,
                    [
                        Seen(
                            direction: Bool.random(using: &random) ? .inbound : .outbound,
                            source: Bool.random(using: &random) ? "7" : "8", isWire: name.contains(":"))
                    ])
            }
            for index in records.indices {
                for row in records[index].intervals.indices {
                    records[index].intervals[row].packets = extremes.randomElement(using: &random)
                    records[index].intervals[row].packetsLost = extremes.randomElement(using: &random)
                    records[index].intervals[row].jitterMilliseconds = [.nan, .infinity, -1, 1e300, 3].randomElement(
                        using: &random)
                    let (one, other) = (
                        times.randomElement(using: &random) ?? 0, times.randomElement(using: &random) ?? 0
                    )
                    records[index].intervals[row].start = Timestamp(milliseconds: one)
                    records[index].intervals[row].end = Timestamp(milliseconds: other)
                }
            }
            var own = records[0]
            own.others = records.dropFirst().map(\.summary)
            for other in records.dropFirst() { own.otherIntervals[other.summary.key] = other.intervals }
            let text = TextReport(own, at: Records.at(90_000), style: TextStyle(columns: 80, isColoured: false))
                .render()
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
            _ = JSONReport(own, at: Records.at(90_000)).value.indentedText
        }
    }
}
