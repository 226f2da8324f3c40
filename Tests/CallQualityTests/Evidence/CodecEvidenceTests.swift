import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// The score against PESQ of eight codecs under random and bursty loss. Half of the speech samples chose the knee of
/// the model; the figures are of the others. `Scripts/score-evidence` prints the table.
@Suite(SharedData.required) struct CodecEvidenceTests {
    private let heldOut: [CodecSample]

    init() throws {
        let samples = try CodecSample.all()
        let speech = Set(samples.map(\.speech)).sorted()
        let chosen = Set(speech.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
        heldOut = samples.filter { !chosen.contains($0.speech) }
    }

    private func score(_ totals: AudioTotals) -> Double {
        AudioScore(model: .current, totals: totals, roundTripMilliseconds: nil).evaluate()?.score ?? .nan
    }

    @Test func `the score follows what listeners would say of eight codecs`() throws {
        let errorCorrected = heldOut.filter(\.hasForwardErrorCorrection)
        let parts = [heldOut, errorCorrected, heldOut.filter { $0.setting == "opus_wb24" }]
        #expect(parts.map(\.count).allSatisfy { $0 >= 90 })
        func agreement(_ score: (CodecSample) -> Double) -> [Agreement] {
            parts.map { Agreement(scores: $0.map(score), heard: $0.map(\.pesq)) }
        }
        let ours = agreement { score($0.asReported) }
        let counted = agreement { score($0.asCounted) }
        var table = AgreementTable(
            "score against PESQ: eight codecs, Opus with FEC, Opus without; "
                + parts.map { "\($0.count)" }.joined(separator: ", ") + " files of speech left out of the choice")
        table.add("Sidetone, as a client reports", ours)
        table.add("Sidetone, from packets", counted)
        for peer in PeerScore.allCases { table.add(peer.rawValue, agreement { peer.score($0.figures) }) }
        print(table.text)
        #expect(ours[0].pearson >= 0.88)
        #expect(ours[1].pearson >= 0.93)
        #expect(counted[0].pearson >= 0.87)
    }
}
