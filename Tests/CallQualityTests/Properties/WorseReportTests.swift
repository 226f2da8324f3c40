import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What a client reports is worse in one member from some report on: the call's score does not rise.
@Suite struct WorseReportTests {
    /// The members that can be worse, all else equal.
    enum Member: String, CaseIterable {
        case packetsLost, concealedSamples, insertedSamplesForDeceleration, removedSamplesForAcceleration,
            jitterBufferDelay

        /// The most that a second can hold.
        var mostASecond: Double {
            switch self {
            case .packetsLost: 40
            case .concealedSamples: 40_000
            case .insertedSamplesForDeceleration, .removedSamplesForAcceleration: 10_000
            case .jitterBufferDelay: 60_000
            }
        }

        func add(_ amount: Double, to source: inout AudioSource) {
            switch self {
            case .packetsLost: source.change(\.packetsLost, by: amount)
            case .concealedSamples: source.change(\.concealedSamples, by: amount)
            case .insertedSamplesForDeceleration: source.change(\.insertedSamples, by: amount)
            case .removedSamplesForAcceleration: source.change(\.removedSamples, by: amount)
            case .jitterBufferDelay: source.change(\.jitterBufferSeconds, by: amount)
            }
        }
    }

    private struct Change {
        var member: Member
        var report: Int
        var amount: Double
    }

    /// A call of some seconds of anything, a report every 1, 5 or 10 s, with the change in it.
    private func summary(seed: UInt64, _ change: Change?) -> CallSummary? {
        var random = RandomSource(seed: seed)
        let cadences: [Double] = [1, 5, 10]
        let cadence = cadences[Int.random(in: cadences.indices, using: &random)]
        var source = AudioSource(codec: Bool.random(using: &random) ? AudioSource.opus : nil)
        var facts: [Fact] = []
        for report in 0..<Int.random(in: 3...9, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: source.blackout(cadence)
            case 1: source.hold(cadence)
            case 2:
                source.sound(cadence / 2)
                source.blackout(cadence / 2)
            case 3:
                source.sound(cadence)
                source.lose(packets: Double(Int.random(in: 0...Int(10 * cadence), using: &random)))
            default: source.sound(cadence)
            }
            if let change, change.report == report {
                change.member.add(change.amount * cadence, to: &source)
            }
            facts.append(source.report)
        }
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "worse")),
                observer: ObserverID(rawValue: "client"), attempt: 1))
        _ = session.fold(facts)
        return session.summary()
    }

    @Test func `one member that is worse from some report on never raises the score`() async throws {
        var lowered: [Member: Int] = [:]
        for seed in 0..<1_200 as Range<UInt64> {
            guard let before = summary(seed: seed, nil) else { continue }
            for member in Member.allCases {
                // Tests that wait for something need a thread, too.
                await Task.yield()
                var random = RandomSource(seed: seed &+ 77)
                let share = Double.random(in: 0...1, using: &random)
                let change = Change(
                    member: member, report: Int.random(in: 1...8, using: &random),
                    amount: share * share * member.mostASecond)
                guard let after = summary(seed: seed, change) else { continue }
                let context = "\(member.rawValue), seed \(seed)"
                #expect((before.score == nil) == (after.score == nil), "\(context)")
                guard let score = before.score, let worse = after.score else { continue }
                #expect(worse <= score, "\(context): \(score) became \(worse)")
                #expect(try #require(after.worstScore) <= #require(before.worstScore), "\(context)")
                if worse < score { lowered[member, default: 0] += 1 }
            }
        }
        for member in Member.allCases {
            #expect(lowered[member, default: 0] > 300, "\(member.rawValue) hardly matters")
        }
    }
}
