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
        print(
            """
            audio score against PESQ, \(fit.windows.count) windows of 8 s, 5 fixed folds of scenarios
                          Spearman   RMSE in MOS after a linear map
            in sample     \(leftOut: inSample)
            left out      \(leftOut: leftOut)
            fitted        \(fit.fitted { _ in true })
            """)
        #expect(leftOut.spearman >= 0.86)
        #expect(leftOut.error <= 0.40)
        #expect(inSample.spearman >= 0.88)
    }

    @Test func `the model in use is the one the data give`() {
        let fitted = fit.fitted { _ in true }
        #expect(abs(fitted.concealmentExponent - ScoreModel.current.concealmentExponent) < 0.01)
        #expect(abs(fitted.stretchExponent - ScoreModel.current.stretchExponent) < 0.01)
        #expect(abs(fitted.lossExponent - ScoreModel.current.lossExponent) < 0.01)
    }
}

extension DefaultStringInterpolation {
    fileprivate mutating func appendInterpolation(leftOut agreement: ScoreFit.Agreement) {
        appendLiteral(String(format: "%.3f      %.3f", agreement.spearman, agreement.error))
    }
}
