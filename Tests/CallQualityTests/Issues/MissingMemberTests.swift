import CallModel
import Testing

@testable import CallQuality

/// A member that is absent is not known: it is neither 0 nor anybody's fault, and the report names it.
@Suite struct MissingMemberTests {
    private func summary(
        _ call: ScriptedCall, without members: Set<String>, on ids: Set<String>
    ) throws -> CallSummary {
        try call.summary(every: 10) { _, objects in
            objects.map { object in
                guard ids.contains(object.id) else { return object }
                var other = object
                other.members = object.members.filter { !members.contains($0.key) }
                return other
            }
        }
    }

    private static let losing: ScriptedCall = {
        var second = ScriptedSecond.losing(10)
        second.videoLost = 3
        return ScriptedCall(60, bad: [0..<60], second)
    }()

    @Test func `without the packets received nothing is 100 percent lost`() throws {
        let whole = try summary(Self.losing, without: [], on: [])
        let less = try summary(Self.losing, without: ["packetsReceived"], on: ["IA", "IV"])
        #expect(try #require(less.score) >= #require(whole.score))
        #expect(less.basis?.lossPercent == 0)
        #expect(less.missing.contains("packetsReceived"))
    }

    @Test func `without the packets lost no computer is blamed, and no count of them shown`() throws {
        let less = try summary(Self.losing, without: ["packetsLost"], on: ["IA", "IV"])
        let issue = try #require(less.issues.all.first { $0.kind == .concealment })
        #expect(issue.cause == nil)
        #expect(issue.evidence.map(\.member) == ["concealedSamples", "totalSamplesReceived", "jitter"])
        #expect(less.missing.contains("packetsLost"))
    }

    @Test(arguments: [
        ("silentConcealedSamples", "IA"), ("totalSamplesReceived", "IA"), ("freezeCount", "IV"),
        ("totalFreezesDuration", "IV"),
    ])
    func `what the score would have rested on is named`(member: String, id: String) throws {
        #expect(try !summary(Self.losing, without: [], on: []).missing.contains(member))
        #expect(try summary(Self.losing, without: [member], on: [id]).missing.contains(member))
    }

    @Test(arguments: [true, false]) func `round trips are not reported where no report has one`(hasSome: Bool) throws {
        let summary = try ScriptedCall(60).summary(every: 10) { seconds, objects in
            objects.filter { $0.id != "RA" || hasSome && seconds < 30 }
        }
        #expect(summary.missing.contains("roundTripTime") == !hasSome)
    }

    @Test func `a hold is taken out of the freezes that are not counted`() throws {
        var held = ScriptedSecond()
        (held.packets, held.videoPackets, held.videoBytes, held.frames) = (0, 0, 0, 0)
        var call = ScriptedCall(90, bad: [40..<50], held)
        call.seconds[50].frozenSeconds = 10
        call.seconds[50].freezes = 1
        call.events = [
            ScriptedCall.event("callState", "REMOTELY_HELD", at: 40),
            ScriptedCall.event("callState", "IN_CALL", at: 50),
        ]
        let whole = try summary(call, without: [], on: [])
        let less = try summary(call, without: ["freezeCount"], on: ["IV"])
        #expect(less.score == whole.score)
        #expect(less.streams.first { $0.stream.source == "3" }?.frozenSeconds == 0)
    }

    @Test func `evidence of a standstill names what was reported`() throws {
        var still = ScriptedSecond()
        still.frames = 0
        let less = try summary(
            ScriptedCall(90, bad: [40..<60], still), without: ["totalFreezesDuration", "freezeCount"], on: ["IV"])
        let issue = try #require(less.issues.all.first { $0.kind == .freeze })
        #expect(issue.evidence.map(\.member) == ["framesDecoded", "stillSeconds"])
    }
}
