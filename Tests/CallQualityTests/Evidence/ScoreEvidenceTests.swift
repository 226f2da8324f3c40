import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What the audio score is worth against what people would have heard. `Scripts/score-evidence` prints the table.
@Suite(SharedData.required) struct ScoreEvidenceTests {
    private let fit: ScoreFit

    init() throws {
        fit = ScoreFit(try ListeningWindow.all())
    }

    @Test func `the audio score ranks scenarios it was not fitted on as listeners would`() {
        let leftOut = fit.leftOutAgreement(folds: 5)
        let inSample = fit.agreement(of: .current)
        var table = AgreementTable(
            "audio score against PESQ, \(fit.windows.count) windows of 8 s of recorded calls, 5 fixed folds of scenarios left out"
        )
        table.add("Sidetone", [leftOut])
        table.add("Sidetone, in sample", [inSample])
        for peer in PeerScore.allCases { table.add(peer.rawValue, [fit.leftOutAgreement(folds: 5, of: peer)]) }
        print(table.text, "fitted: \(fit.fitted { _ in true })", separator: "\n")
        #expect(leftOut.spearman >= 0.88)
        #expect(leftOut.error <= 0.38)
        #expect(inSample.spearman >= 0.88)
    }

    @Test func `the model in use is the one the data give`() {
        let fitted = fit.fitted { _ in true }
        #expect(abs(fitted.concealmentExponent - ScoreModel.current.concealmentExponent) < 0.01)
        #expect(abs(fitted.stretchExponent - ScoreModel.current.stretchExponent) < 0.01)
        #expect(abs(fitted.lossExponent - ScoreModel.current.lossExponent) < 0.01)
    }
}
