import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What the audio score is worth against what people would have heard. `Scripts/score-evidence` prints the table.
@Suite(SharedData.required) struct ScoreEvidenceTests {
    private let fit: ScoreFit
    /// No part of any fit.
    private let untouched: [ListeningWindow]

    init() throws {
        let all = try ListeningWindow.all()
        fit = ScoreFit(all.filter { !$0.isUntouched })
        untouched = all.filter(\.isUntouched)
    }

    @Test func `the audio score ranks scenarios it was not fitted on as listeners would`() {
        let windows = fit.windows + untouched
        let first = windows.indices.filter { windows[$0].isOfFirstRecordings }
        let groups = [first, Array(fit.windows.indices), Array(windows.indices)]
        func agreement(_ scores: [Double]) -> [Agreement] {
            groups.map { group in Agreement(scores: group.map { scores[$0] }, heard: group.map { windows[$0].pesq }) }
        }
        let leftOut = agreement(
            fit.leftOutScores(folds: 5) + untouched.map { fit.score($0, with: .current) })
        var table = AgreementTable(
            """
            audio score against PESQ, windows of 8 s of recorded calls, 5 fixed folds of scenarios left out:
            \(groups[0].count) of the first recordings; with those made for this, \(groups[1].count); \(groups[2].count) with calls \
            that nothing was done to
            """)
        table.add("Sidetone", leftOut)
        table.add("Sidetone, in sample", agreement(windows.map { fit.score($0, with: .current) }))
        for peer in PeerScore.allCases {
            table.add(peer.rawValue, agreement(windows.map { peer.score($0.figures) }))
        }
        print(table.text, "fitted: \(fit.fitted { _ in true })", separator: "\n")
        #expect(leftOut[0].spearman >= 0.88 && leftOut[1].spearman >= 0.88 && leftOut[2].spearman >= 0.85)
        #expect(leftOut.allSatisfy { $0.error <= 0.38 })
    }

    /// PESQ of clean calls is 0.4 lower where certain words are said. Those say nothing about a formula of statistics.
    @Test func `what is said taken out, all calls are ranked as listeners would`() {
        let windows = fit.windows + untouched
        let scores = fit.leftOutScores(folds: 5) + untouched.map { fit.score($0, with: .current) }
        let changes = windows.map { $0.changeFromUndisturbed(among: windows) }
        let known = windows.indices.filter { changes[$0] != nil }
        let groups = [
            known.filter { windows[$0].isOfFirstRecordings }, known.filter { !windows[$0].isUntouched }, known,
        ]
        func agreement(_ scores: [Double]) -> [Agreement] {
            groups.map { group in
                Agreement(scores: group.map { scores[$0] }, heard: group.map { changes[$0] ?? .nan })
            }
        }
        let leftOut = agreement(scores)
        var table = AgreementTable(
            """
            audio score against the change of PESQ from undisturbed calls with the same words, \(groups.map(\.count)) \
            windows, 5 fixed folds of scenarios left out:
            """)
        table.add("Sidetone", leftOut)
        for peer in PeerScore.allCases {
            table.add(peer.rawValue, agreement(windows.map { peer.score($0.figures) }))
        }
        let undisturbed = Dictionary(grouping: windows.filter(\.isUndisturbed), by: \.index).sorted { $0.key < $1.key }
        let means = undisturbed.map { String(format: "%.2f", Line.mean($0.value.map(\.pesq))) }
        print(table.text, "undisturbed calls, by the words: \(means.joined(separator: " "))", separator: "\n")
        #expect(leftOut[0].spearman >= 0.92 && leftOut[1].spearman >= 0.89 && leftOut[2].spearman >= 0.88)
        #expect(leftOut.allSatisfy { $0.error <= 0.38 })
    }

    @Test func `a call that nothing was done to is excellent, whether its sender pauses or not`() {
        let scores = untouched.map { fit.score($0, with: .current) }
        #expect(scores.count >= 60)
        #expect(scores.allSatisfy { $0 >= 90 }, "\(scores.min() ?? 0)")
    }

    @Test func `the model in use is the one the data give`() {
        let fitted = fit.fitted { _ in true }
        #expect(abs(fitted.concealmentExponent - ScoreModel.current.concealmentExponent) < 0.01)
        #expect(abs(fitted.stretchExponent - ScoreModel.current.stretchExponent) < 0.01)
        #expect(abs(fitted.lossExponent - ScoreModel.current.lossExponent) < 0.01)
    }
}
