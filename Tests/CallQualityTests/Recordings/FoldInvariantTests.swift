import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What must hold for every recording, whatever was done to it.
@Suite(SharedData.required) struct FoldInvariantTests {
    private static let all = RecordedEnd.both((try? SharedData.callNames()) ?? [])

    @Test(arguments: all)
    func `a fold that is stored and read back after every fact gives the same figures`(_ source: RecordedEnd) throws {
        let recording = RecordedCall.shared(source.name, source.end)
        let facts = try Recordings.facts(source.name, source.end)
        var whole = CallSession(key: recording.key)
        let rows = whole.fold(facts)
        var part = CallSession(key: recording.key)
        var partRows = CallSession.Rows()
        for fact in facts {
            part = try #require(CallSession(archived: part.archived()))
            let more = part.fold([fact])
            partRows.intervals += more.intervals
            partRows.scores += more.scores
        }
        #expect(partRows == rows, "\(source.testDescription)")
        #expect(part.summary() == whole.summary(), "\(source.testDescription)")
        #expect(part.watermark == facts.last?.key)
        #expect(part.archived().count < 6_144, "\(source.testDescription)")
    }

    @Test(arguments: all)
    func `figures keep their ranges`(_ source: RecordedEnd) async throws {
        guard try !Recordings.facts(source.name, source.end).isEmpty else { return }
        let record = try await source.record()
        for interval in record.scores + record.windows {
            let costs = interval.costs.values.reduce(0, +)
            #expect((interval.score == nil) == (interval.absence != nil), "\(source.testDescription) \(interval)")
            #expect(interval.costs.values.allSatisfy { $0 >= 0 && $0.isFinite })
            if let score = interval.score {
                #expect((0...100).contains(score))
                #expect(abs(100 - Double(score) - costs) <= 1, "\(source.testDescription) \(interval)")
            }
        }
        for row in record.intervals {
            #expect(row.start < row.end)
            for percent in [row.lossPercent, row.concealedPercent, row.silentConcealedPercent].compactMap({ $0 }) {
                #expect((0...100).contains(percent), "\(source.testDescription) \(row)")
            }
            for rate in [row.bitrateKilobitsPerSecond, row.framesPerSecond, row.frozenSeconds].compactMap({ $0 }) {
                #expect(rate >= 0 && rate.isFinite, "\(source.testDescription) \(row)")
            }
            #expect((0...row.seconds + 0.001).contains(row.heldSeconds))
        }
        if let score = record.summary.score, let worst = record.summary.worstScore {
            #expect(worst <= score, "\(source.testDescription)")
        }
    }

    @Test(arguments: all.filter { $0.name != "26-no-answer" })
    func `a call reported every second and every ten seconds is one call`(_ source: RecordedEnd) async throws {
        let fine = try await source.record(.oneSecond)
        let coarse = try await source.record(.tenSeconds)
        #expect(fine.summary.outcome == coarse.summary.outcome)
        #expect((fine.summary.score == nil) == (coarse.summary.score == nil), "\(source.testDescription)")
        if let score = fine.summary.score, let other = coarse.summary.score {
            #expect(abs(score - other) <= 6, "\(source.testDescription): \(score) at 1 s, \(other) at 10 s")
        }
        expectSameOutages(fine, coarse, source)
        expectSameLoss(fine, coarse, source)
    }

    /// As clients do that keep a connection for each medium: the same reports, each as two, the second 5 ms later.
    @Test(arguments: all) func `sound and pictures over connections of their own are scored as over one`(
        _ source: RecordedEnd
    ) throws {
        let facts = try Recordings.facts(source.name, source.end)
        let apart = facts.flatMap { fact -> [Fact] in
            guard case .report(let whole) = fact else { return [fact] }
            return [("audio", "video"), ("video", "audio")].enumerated().map { place, kinds in
                // A transport counts the packets of both.
                let objects = whole.objects.filter { $0.members["kind"]?.text != kinds.1 && $0.type != .transport }
                return .report(
                    StatsReport(
                        connection: ConnectionID(rawValue: kinds.0),
                        time: whole.time.advanced(byMilliseconds: Int64(5 * place)), receivedAt: whole.receivedAt,
                        objects: objects))
            }
        }
        func summary(_ facts: [Fact]) -> CallSummary? {
            var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
            _ = session.fold(facts.sorted { $0.key < $1.key })
            return session.summary()
        }
        let (one, two) = (summary(facts), summary(apart))
        #expect((one?.score == nil) == (two?.score == nil))
        guard let one, let two, let score = one.score, let other = two.score else { return }
        #expect(abs(score - other) <= 3, "\(score) and \(other)")
        #expect(abs(one.heldSeconds - two.heldSeconds) <= 0.5, "\(one.heldSeconds) s and \(two.heldSeconds) s on hold")
        let frozen = [one, two].map { $0.streams.compactMap(\.frozenSeconds).reduce(0, +) }
        #expect(abs(frozen[0] - frozen[1]) <= 0.5, "\(frozen[0]) s and \(frozen[1]) s frozen")
    }

    /// Several outages within one report of ten seconds cannot be told apart; their sum can be held against the others.
    private func expectSameOutages(_ fine: CallRecord, _ coarse: CallRecord, _ source: RecordedEnd) {
        let one = fine.summary.outages
        let other = coarse.summary.outages
        #expect(one.isEmpty == other.isEmpty, "\(source.testDescription)")
        let seconds = one.map(\.seconds).reduce(0, +)
        let otherSeconds = other.map(\.seconds).reduce(0, +)
        guard one.count > 1 else {
            #expect(one.count == other.count && abs(seconds - otherSeconds) <= 0.3, "\(source.testDescription)")
            return
        }
        #expect(
            abs(seconds - otherSeconds) <= 0.05 * seconds, "\(source.testDescription): \(seconds), \(otherSeconds) s")
    }

    /// The two series end up to 10 s apart, so only a total that cannot have grown since is compared.
    private func expectSameLoss(_ fine: CallRecord, _ coarse: CallRecord, _ source: RecordedEnd) {
        for stream in coarse.summary.streams {
            guard let same = fine.summary.streams.first(where: { $0.stream == stream.stream }) else { continue }
            #expect(same.resumeGapPackets == stream.resumeGapPackets, "\(source.testDescription) \(stream.stream)")
            guard same.lastSeen == stream.lastSeen else { continue }
            #expect(same.packetsLost == stream.packetsLost, "\(source.testDescription) \(stream.stream)")
        }
    }
}
