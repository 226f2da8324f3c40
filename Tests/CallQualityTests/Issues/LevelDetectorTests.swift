import CallModel
import Testing

@testable import CallQuality

/// Detectors of what lasts: raise, stay, clear, cool down, at any cadence.
@Suite struct LevelDetectorTests {
    /// An impairment, and the issue it must bring about.
    struct Case: CustomTestStringConvertible, Sendable {
        var kind: IssueKind
        var cause: IssueCause?
        var change: @Sendable (inout ScriptedSecond) -> Void

        var testDescription: String { kind.rawValue }

        var second: ScriptedSecond {
            var second = ScriptedSecond()
            change(&second)
            return second
        }
    }

    static let cases: [Case] = [
        Case(kind: .packetLoss, cause: .networkLossOneWay) { $0 = .losing(6) },
        Case(kind: .lossBursts, cause: .networkLossOneWay) { second in
            (second.lost, second.packets, second.concealedSeconds, second.concealments) = (4, 46, 0.08, 1)
        },
        Case(kind: .jitter, cause: .networkJitter) { $0.jitterSeconds = 0.045 },
        Case(kind: .jitter, cause: .congestion) { ($0.jitterSeconds, $0.roundTripSeconds) = (0.045, 0.180) },
        Case(kind: .delay, cause: .congestion) { $0.roundTripSeconds = 0.450 },
        Case(kind: .concealment, cause: .busyComputer) { ($0.concealedSeconds, $0.concealments) = (0.06, 2) },
        Case(kind: .concealment, cause: .networkJitter) { second in
            (second.concealedSeconds, second.concealments, second.jitterSeconds) = (0.06, 2, 0.025)
        },
        Case(kind: .concealment, cause: .networkLoss) { second in
            second = .losing(8)
            second.concealedSeconds = 0.06
        },
        Case(kind: .freeze, cause: .busyComputer) { ($0.freezes, $0.frozenSeconds, $0.frames) = (1, 0.4, 12) },
        Case(kind: .lowFrameRate, cause: nil) { $0.frames = 5 },
        Case(kind: .stuckDecoder, cause: .busyComputer) { $0.frames = 0 },
        Case(kind: .cpuLimited, cause: .busyComputer) { $0.cpuLimited = 1 },
        Case(kind: .bandwidthLimited, cause: .bandwidth) { $0.bandwidthLimited = 1 },
        Case(kind: .silentMicrophone, cause: .microphone) { $0.sentLoudness = 0 },
        Case(kind: .silentFarEnd, cause: nil) { $0.loudness = 0 },
        Case(kind: .echo, cause: nil) { $0.echoReturnLoss = 6 },
    ]

    /// −100 dB of older engines; −30 dB of later ones, and after one block, four and twenty in which nothing came back:
    /// −10·lg(1000·0.9ⁿ).
    @Test(arguments: [-100.0, -30, -29.542, -28.170, -20.849])
    func `a return loss that was never measured is no echo`(_ reported: Double) {
        var second = ScriptedSecond()
        second.echoReturnLoss = reported
        #expect(ScriptedCall(120, bad: [0..<120], second).issues(every: 10).filter { $0.kind == .echo } == [])
        second.echoReturnLoss = -9
        #expect(ScriptedCall(120, bad: [0..<120], second).issues(every: 10).contains { $0.kind == .echo })
    }

    @Test func `an enhancement at which cancellers rest is none that was measured`() {
        var second = ScriptedSecond()
        (second.echoReturnLoss, second.echoReturnLossEnhancement) = (6, 0.17551203072071075)
        #expect(ScriptedCall(120, bad: [0..<120], second).issues(every: 10).filter { $0.kind == .echo } == [])
        second.echoReturnLossEnhancement = 0.3
        #expect(ScriptedCall(120, bad: [0..<120], second).issues(every: 10).contains { $0.kind == .echo })
    }

    /// A path that is down for 4 s from second 41 on; the picture is called frozen when it moves again.
    @Test(arguments: [2, 3, 4, 5, 10], [0, 1, 2, 3, 4])
    func `a picture that stands still at the end of a report is no low frame rate`(cadence: Int, first: Int) throws {
        var down = ScriptedSecond()
        (down.packets, down.concealedSeconds, down.silentSeconds) = (0, 1, 1)
        (down.videoPackets, down.videoBytes, down.frames) = (0, 0, 0)
        var call = ScriptedCall(120, bad: [41..<45], down)
        (call.seconds[41].concealments, call.seconds[41].silentSeconds) = (1, 0.9)
        (call.seconds[45].freezes, call.seconds[45].frozenSeconds) = (1, 4)
        let summary = try call.summary(every: cadence, from: first) { seconds, objects in
            let last = 41.0...45.0 ~= seconds ? 41 : seconds
            return objects.map { object in
                guard object.id == "IV" else { return object }
                var picture = object
                picture.members["lastPacketReceivedTimestamp"] = .integer(ScriptedCall.at(last).milliseconds)
                return picture
            }
        }
        #expect(Set(summary.issues.all.map(\.kind)) == [.blackout, .freeze])
    }

    @Test(arguments: cases, [1, 5, 10])
    func `forty seconds of it are one issue with their span, at any cadence`(_ impairment: Case, cadence: Int) throws {
        let call = ScriptedCall(120, bad: [40..<80], impairment.second)
        let found = call.issues(every: cadence).filter { $0.kind == impairment.kind }
        let issue = try #require(found.first)
        #expect(found.count == 1)
        #expect(issue.cause == impairment.cause)
        #expect(abs(issue.span.start.seconds(since: ScriptedCall.at(40))) <= Double(cadence))
        #expect(abs(try #require(issue.span.end).seconds(since: ScriptedCall.at(80))) <= Double(cadence))
        #expect(!issue.evidence.isEmpty)
    }

    @Test(arguments: cases, [2, 3, 4, 6, 7, 8, 12])
    func `reports that do not fit into the time looked at are evidence all the same`(_ impairment: Case, cadence: Int) {
        let issues = ScriptedCall(240, bad: [60..<180], impairment.second).issues(every: cadence)
        #expect(issues.contains { $0.kind == impairment.kind }, "\(issues.map(\.kind))")
    }

    @Test(arguments: cases, [1, 10])
    func `what still goes on is open`(_ impairment: Case, cadence: Int) throws {
        let call = ScriptedCall(120, bad: [60..<120], impairment.second)
        let issue = try #require(call.issues(every: cadence).first { $0.kind == impairment.kind })
        #expect(issue.isOpen)
        #expect(abs(try #require(issue.span.end).seconds(since: ScriptedCall.at(120))) <= Double(cadence))
    }

    @Test(arguments: [1, 5, 10])
    func `a clean call has none`(cadence: Int) {
        #expect(ScriptedCall(120).issues(every: cadence) == [])
    }

    @Test func `a call of which nothing is known has none`() {
        #expect(ScriptedCall(0).issues(every: 1) == [])
    }

    @Test(arguments: [1, 5, 10])
    func `what comes again soon is the same issue, later another`(cadence: Int) {
        func count(_ bad: [Range<Int>]) -> Int {
            ScriptedCall(200, bad: bad, .losing(6)).issues(every: cadence).count { $0.kind == .packetLoss }
        }
        #expect(count([40..<60, 70..<90]) == 1)
        #expect(count([40..<60, 120..<140]) == 2)
    }

    @Test func `between the levels an issue stays, and none is raised`() throws {
        var call = ScriptedCall(100)
        for second in 20..<40 { call.seconds[second] = .losing(4) }
        for second in stride(from: 40, to: 70, by: 3) { call.seconds[second] = .losing(2) }
        let staying = try #require(call.issues(every: 1).first { $0.kind == .packetLoss })
        #expect(abs(try #require(staying.span.end).seconds(since: ScriptedCall.at(70))) <= 3)
        var weak = ScriptedCall(100)
        for second in stride(from: 20, to: 70, by: 3) { weak.seconds[second] = .losing(2) }
        #expect(!weak.issues(every: 1).contains { $0.kind == .packetLoss })
    }

    @Test(arguments: [5, 10])
    func `what was bad before there was time enough to tell is told once there was`(cadence: Int) throws {
        // The first report has 3 s, and with those after it more than the time looked at.
        let call = ScriptedCall(60, bad: [0..<3], .losing(40))
        let issue = try #require(call.issues(every: cadence, from: 3).first { $0.kind == .packetLoss })
        #expect(issue.span == TimeSpan(start: ScriptedCall.at(0), end: ScriptedCall.at(2.98)))
        #expect(ScriptedCall(60, bad: [0..<3], .losing(2)).issues(every: cadence, from: 3) == [])
    }

    /// 5 % of the packets are lost for 30 s, or the jitter is 45 ms; the last packet came 5 ms before each report.
    @Test(arguments: [50, 100, 250, 400, 600, 750] as [Int64], [IssueKind.packetLoss, .jitter])
    func `reports of many a second are evidence`(milliseconds: Int64, kind: IssueKind) throws {
        let detector = try #require(
            IssueDetectors.levels.first { $0.kind == kind && $0.media == .audio && $0.direction != .outbound })
        var watch = LevelWatch(detector: detector, stream: nil, connection: "")
        let seconds = Double(milliseconds) / 1_000
        func take(_ count: Int64, from first: Timestamp, isBad: Bool) -> Timestamp {
            for index in 0..<count {
                let start = first.advanced(byMilliseconds: index * milliseconds)
                let amount = kind == .jitter ? 45.0 : 2.5 * seconds
                _ = watch.take(
                    IssueReading(amount: isBad ? amount : 0, base: kind == .jitter ? 1 : 50 * seconds), from: start,
                    to: start.advanced(byMilliseconds: milliseconds - 5), seconds: seconds, excusedSeconds: 0,
                    IssueContext(), by: detector
                )
            }
            return first.advanced(byMilliseconds: count * milliseconds)
        }
        let over = take(30_000 / milliseconds, from: ScriptedCall.at(0), isBad: true)
        let open = try #require(watch.record)
        #expect(open.isOpen)
        #expect((open.start, open.end) == (ScriptedCall.at(0), over.advanced(byMilliseconds: -5)))
        #expect(abs(open.worst - (kind == .jitter ? 45 : 5)) < 0.001)
        _ = take(30_000 / milliseconds, from: over, isBad: false)
        let closed = try #require(watch.record)
        #expect(!closed.isOpen)
        #expect((closed.start, closed.end) == (open.start, open.end))
    }

    @Test func `a single value of jitter or round trip is none`() {
        for cadence in [1, 10] {
            var call = ScriptedCall(120)
            call.seconds[59].jitterSeconds = 0.3
            call.seconds[59].roundTripSeconds = 2
            #expect(call.issues(every: cadence) == [], "\(cadence)")
        }
    }

    @Test func `the rate estimate's climb at the start is no limit`() {
        let call = ScriptedCall(60, bad: [0..<13], Self.cases[12].second)
        for cadence in [1, 5, 10] { #expect(call.issues(every: cadence) == []) }
    }

    @Test func `a microphone that was muted by its user is not silent`() {
        var call = ScriptedCall(120, bad: [20..<80], Self.cases[13].second)
        call.events = [
            ScriptedCall.event("callOperation", "muteCallSucceeded", at: 20),
            ScriptedCall.event("callOperation", "unMuteCallSucceeded", at: 80),
        ]
        #expect(call.events[0].meanings.contains(.condition(.microphoneMuted, isOn: true)))
        #expect(!call.issues(every: 1).contains { $0.kind == .silentMicrophone })
    }
}
