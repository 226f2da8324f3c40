import CallModel
import Testing

@testable import CallQuality

/// What an issue is blamed on, and what is not told twice.
@Suite struct CauseTests {
    private static var dead: ScriptedSecond {
        var second = ScriptedSecond()
        (second.packets, second.concealedSeconds, second.silentSeconds, second.concealments) = (0, 1, 0.98, 0.2)
        (second.videoPackets, second.videoBytes, second.frames) = (0, 0, 0)
        return second
    }

    private static func disconnect(from start: Double, to end: Double) -> [CallEvent] {
        [
            ScriptedCall.event("iceState", "iceConnected", at: 1),
            ScriptedCall.event("iceState", "iceDisconnected", at: start),
            ScriptedCall.event("iceState", "iceConnected", at: end),
        ]
    }

    @Test func `a short disconnect is the network's loss, or nobody's, unless sound was missing`() throws {
        func cause(_ call: ScriptedCall) throws -> IssueCause? {
            var told = call
            told.events = Self.disconnect(from: 52, to: 52.041)
            return try #require(told.issues(every: 1).first { $0.kind == .iceDisconnected }).cause
        }
        #expect(try cause(ScriptedCall(90)) == nil)
        #expect(try cause(ScriptedCall(90, bad: [0..<90], .losing(5))) == .networkLoss)
        #expect(try cause(ScriptedCall(90, bad: [45..<52], Self.dead)) == .pathDown)
    }

    @Test func `a disconnect that lasts is a path that is down`() throws {
        var call = ScriptedCall(90)
        call.events = Self.disconnect(from: 50, to: 56)
        #expect(try #require(call.issues(every: 1).first { $0.kind == .iceDisconnected }).cause == .pathDown)
    }

    /// The sound comes back in time for the report, the pictures after it.
    @Test(arguments: [1, 10]) func `packets of a blackout are no loss, though they are missed a report later`(
        cadence: Int
    ) {
        var call = ScriptedCall(120, bad: [55..<60], Self.dead)
        (call.seconds[59].packets, call.seconds[59].concealedSeconds, call.seconds[59].silentSeconds) = (5, 0.9, 0.88)
        (call.seconds[60].videoLost, call.seconds[60].videoPackets, call.seconds[61].sentLost) = (300, 10, 250)
        let kinds = call.issues(every: cadence).map(\.kind)
        #expect(kinds.contains(.blackout))
        #expect(!kinds.contains(.packetLoss))
    }

    @Test func `loss beside a blackout is not called one of this direction only`() throws {
        var call = ScriptedCall(120, bad: [50..<56], Self.dead)
        for second in 40..<70 { call.seconds[second].sentLost = 10 }
        let loss = try #require(call.issues(every: 1).first { $0.kind == .packetLoss })
        #expect(loss.cause == .networkLoss)
    }

    /// The least of many single round trips lies far below their mean.
    @Test(arguments: [1, 10]) func `a long way with jitter is no queue that fills up`(cadence: Int) throws {
        var call = ScriptedCall(120)
        for second in 0..<120 { call.seconds[second].roundTripSeconds = [0.31, 0.12, 0.33, 0.24][second % 4] }
        let delay = try #require(call.issues(every: cadence).first { $0.kind == .delay })
        #expect(delay.cause == .distance)
    }

    @Test(arguments: [1, 5, 10]) func `a queue that fills up is one`(cadence: Int) throws {
        var slow = ScriptedSecond()
        slow.roundTripSeconds = 0.6
        let delay = try #require(
            ScriptedCall(120, bad: [60..<120], slow).issues(every: cadence).first { $0.kind == .delay })
        #expect(delay.cause == .congestion)
    }

    /// The way becomes 450 ms longer: until the jitter buffer has grown, sound is made up, and nothing is lost.
    @Test(arguments: [1, 5, 10], [true, false]) func `sound that waits behind a longer way is not the computer's fault`(
        cadence: Int, isOfDelay: Bool
    ) throws {
        var call = ScriptedCall(120)
        (call.seconds[60].packets, call.seconds[60].concealedSeconds, call.seconds[60].concealments) = (27, 0.44, 1)
        for second in (isOfDelay ? 62 : 100)..<120 { call.seconds[second].roundTripSeconds = 0.5 }
        let found = call.issues(every: cadence).filter { $0.kind == .concealment }
        #expect(found.map(\.cause) == [isOfDelay ? .congestion : .busyComputer])
    }

    /// Causes of freezes when so many frames a second came and were not decoded in the seconds without any; `nil` where the
    /// client counts none that come.
    private func freezeCauses(_ call: ScriptedCall, every cadence: Int, undecoded: Double?) throws -> [IssueCause?] {
        try call.summary(every: cadence) { seconds, objects in
            let still = call.seconds.prefix(Int(seconds)).count { $0.frames == 0 }
            return objects.map { object in
                guard object.id == "IV", let undecoded, let decoded = object["framesDecoded"] else { return object }
                var other = object
                other.members["framesReceived"] = .double(decoded + (undecoded * Double(still)).rounded())
                return other
            }
        }.issues.all.filter { $0.kind == .freeze }.map(\.cause)
    }

    /// In 60 s pictures stand still for 2 of every 8 s; 20 a second are usual.
    @Test(
        arguments: [1, 10],
        [(nil, .busyComputer), (15, .busyComputer), (0.2, nil)] as [(undecoded: Double?, cause: IssueCause?)])
    func `pictures that did not come are not this computer's fault`(
        cadence: Int, arrived: (undecoded: Double?, cause: IssueCause?)
    ) throws {
        var call = ScriptedCall(120)
        for second in 30..<90 where second % 8 < 2 {
            (call.seconds[second].frames, call.seconds[second].frozenSeconds) = (0, 1)
            call.seconds[second].freezes = 0.5
        }
        #expect(try freezeCauses(call, every: cadence, undecoded: arrived.undecoded) == [arrived.cause])
    }

    @Test(arguments: [1, 10], [(15, .busyComputer), (0, nil)] as [(undecoded: Double, cause: IssueCause?)])
    func `nor are those of a freeze that is told when it is over`(
        cadence: Int, arrived: (undecoded: Double, cause: IssueCause?)
    ) throws {
        var call = ScriptedCall(90)
        for second in 51..<56 { call.seconds[second].frames = 0 }
        (call.seconds[56].freezes, call.seconds[56].frozenSeconds) = (1, 5)
        #expect(try freezeCauses(call, every: cadence, undecoded: arrived.undecoded) == [arrived.cause])
    }

    /// RTCP of sound comes every 5 s: what it tells is held against what was sent since the one before.
    @Test func `the share that the far end lost is one of all that it speaks of`() throws {
        var call = ScriptedCall(60)
        for second in stride(from: 4, to: 60, by: 5) { call.seconds[second].sentLost = 25 }
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "rtcp")), observer: .client, attempt: 1)
        )
        let facts = call.facts(every: 1).map { fact -> Fact in
            guard case .report(let report) = fact else { return fact }
            let objects = report.objects.map { object -> StatsObject in
                guard object.id == "RA" else { return object }
                let second = report.time.seconds(since: ScriptedCall.start)
                var other = object
                other.timestamp = ScriptedCall.at((second / 5).rounded(.down) * 5)
                return other
            }
            return .report(
                StatsReport(
                    connection: report.connection, time: report.time, receivedAt: report.receivedAt, objects: objects))
        }
        let rows = session.fold(facts).intervals.filter { $0.stream.direction == .outbound && $0.stream.kind == .audio }
        #expect(Set(rows.compactMap(\.lossPercent)) == [10])
    }

    /// A call of pictures alone, which do not come for 8 s and are frozen then; beside them 5 packets of RTCP a second come while
    /// the path is up.
    @Test(arguments: [1, 2, 10], [true, false]) func `pictures of a call without sound stand still for the path`(
        _ cadence: Int, _ isDown: Bool
    ) throws {
        var away = ScriptedSecond()
        (away.videoPackets, away.videoBytes, away.frames) = (0, 0, 0)
        var call = ScriptedCall(90, bad: isDown ? [31..<39] : [], away)
        (call.seconds[39].freezes, call.seconds[39].frozenSeconds) = (1, 8)
        if !isDown { for second in 31..<39 { call.seconds[second].frames = 0 } }
        let found = try call.summary(every: cadence) { seconds, objects in
            let others = 5 * (seconds - (isDown ? min(8, max(0, seconds - 31)) : 0))
            return objects.filter { !["IA", "OA", "RA", "SA", "CA"].contains($0.id) }.map { object in
                var object = object
                if object.id == "T1" {
                    let media = objects.first { $0.id == "IV" }?["packetsReceived"] ?? 0
                    object.members["packetsReceived"] = .double(media + others)
                }
                return object
            }
        }
        let freezes = found.issues.all.filter { $0.kind == .freeze }
        #expect(freezes.map(\.cause) == [isDown ? .pathDown : .busyComputer])
        #expect(freezes.map(\.isOfNetwork) == [isDown])
    }

    /// The far end of a call of pictures alone is gone after 31 s, and this end waits for half a minute.
    @Test(arguments: [1, 2, 10]) func `pictures of a call without sound that never come back are frozen`(
        cadence: Int
    ) throws {
        var gone = ScriptedSecond()
        (gone.videoPackets, gone.videoBytes, gone.frames) = (0, 0, 0)
        let found = try ScriptedCall(61, bad: [31..<61], gone).summary(every: cadence) { seconds, objects in
            objects.filter { !["IA", "OA", "RA", "SA", "CA"].contains($0.id) }.map { object in
                var object = object
                if object.id == "T1" {
                    let media = objects.first { $0.id == "IV" }?["packetsReceived"] ?? 0
                    object.members["packetsReceived"] = .double(media + 5 * min(31, seconds))
                }
                return object
            }
        }
        let freezes = found.issues.all.filter { $0.kind == .freeze }
        #expect(freezes.map(\.cause) == [.pathDown])
        #expect(freezes.map(\.severity) == [.critical])
        #expect(freezes.allSatisfy { $0.span.start >= ScriptedCall.at(30) && $0.span.start <= ScriptedCall.at(40) })
        #expect(found.scoredSeconds > 55)
        #expect(try #require(found.score) < 60)
    }
}
