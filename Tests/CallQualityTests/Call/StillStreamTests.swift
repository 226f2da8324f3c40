import CallModel
import Testing

@testable import CallQuality

/// A conference over one connection of which one speaker has left: engines go on telling of his stream, in which nothing moves.
@Suite struct StillStreamTests {
    /// The facts of a call whose second speaker, of a greater or a lesser number, stays for 20 s.
    private func facts(
        of call: ScriptedCall, every cadence: Int, leftBehind ssrc: Int64, isHeldFrom: Int? = nil
    ) -> [Fact] {
        var left: StatsObject?
        var held: StatsObject?
        return call.facts(every: cadence).map { fact -> Fact in
            guard case .report(let report) = fact,
                var heard = report.objects.first(where: { $0.id == "IA" })
            else { return fact }
            let seconds = report.time.seconds(since: ScriptedCall.start)
            var other = seconds <= 20 ? heard : left ?? heard
            if seconds <= 20 { left = heard }
            if let isHeldFrom, seconds > Double(isHeldFrom), let held { heard = held } else { held = heard }
            other.id = "IB"
            other.members["ssrc"] = .integer(ssrc)
            other.timestamp = report.time
            heard.timestamp = report.time
            let objects = report.objects.filter { $0.id != "IA" } + [heard, other]
            return .report(
                StatsReport(
                    connection: report.connection, time: report.time, receivedAt: report.receivedAt, objects: objects))
        }
    }

    private func summary(_ facts: [Fact]) throws -> CallSummary {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "still"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold(facts)
        #expect(CallSession(archived: session.archived())?.summary() == session.summary())
        return try #require(session.summary())
    }

    private static var dark: ScriptedSecond {
        var dark = ScriptedSecond()
        (dark.packets, dark.concealedSeconds, dark.silentSeconds, dark.concealments) = (0, 1, 1, 0)
        (dark.videoPackets, dark.videoBytes, dark.frames) = (0, 0, 0)
        return dark
    }

    @Test(arguments: [1, 10], [0 as Int64, 9]) func `who has left puts nobody else on hold`(
        cadence: Int, ssrc: Int64
    ) throws {
        let call = ScriptedCall(90, bad: [50..<56], Self.dark)
        let alone = try #require(call.summary(every: cadence))
        let found = try summary(facts(of: call, every: cadence, leftBehind: ssrc))
        #expect(found.heldSeconds == 0)
        #expect(found.holds == [])
        #expect(found.scoredSeconds == alone.scoredSeconds)
        #expect(found.outages.map { $0.seconds.rounded() } == alone.outages.map { $0.seconds.rounded() })
        #expect(found.score == alone.score)
        let video = found.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound }
        let videoAlone = alone.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound }
        #expect(video?.framesPerSecond == videoAlone?.framesPerSecond)
    }

    @Test(arguments: [1, 10], [0 as Int64, 9]) func `a call in which nothing moves any more is on hold`(
        cadence: Int, ssrc: Int64
    ) throws {
        let found = try summary(
            facts(of: ScriptedCall(90), every: cadence, leftBehind: ssrc, isHeldFrom: 60))
        #expect(abs(found.heldSeconds - 30) <= 1)
        #expect(found.outages == [])
        #expect(found.score == 100)
    }
}
