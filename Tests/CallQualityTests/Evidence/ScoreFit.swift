import CallModel
import Foundation

@testable import CallQuality

/// Fits the exponents of the audio score to listening quality, and tells how well a fit predicts what it has not seen.
struct ScoreFit {
    let windows: [ListeningWindow]
    private let ceiling: Double

    init(_ windows: [ListeningWindow]) {
        self.windows = windows
        let sorted = windows.map(\.pesq).sorted()
        // The clean ceiling: what 2 % of the windows reach.
        ceiling = sorted[Int(0.98 * Double(sorted.count - 1))]
    }

    func score(_ window: ListeningWindow, with model: ScoreModel) -> Double {
        AudioScore(model: model, totals: window.totals, roundTripMilliseconds: nil).evaluate()?.score ?? .nan
    }

    /// The exponents with the least square error on the windows for which `isIncluded` holds.
    func fitted(where isIncluded: (ListeningWindow) -> Bool) -> ScoreModel {
        let training = windows.filter(isIncluded)
        var parameters = [0.3, 0.3, 0.1]
        var step = 0.2
        var best = squaredError(parameters, training)
        while step > 1e-4 {
            var hasImproved = false
            for index in parameters.indices {
                for direction in [-1.0, 1.0] {
                    var candidate = parameters
                    candidate[index] = max(0, candidate[index] + direction * step)
                    let error = squaredError(candidate, training)
                    if error < best { (parameters, best, hasImproved) = (candidate, error, true) }
                }
            }
            if !hasImproved { step /= 2 }
        }
        return model(parameters)
    }

    private func model(_ parameters: [Double]) -> ScoreModel {
        ScoreModel(
            concealmentExponent: parameters[0], stretchExponent: parameters[1], lossExponent: parameters[2])
    }

    private func squaredError(_ parameters: [Double], _ windows: [ListeningWindow]) -> Double {
        let model = model(parameters)
        return windows.reduce(0) { sum, window in
            let difference = score(window, with: model) - window.target(ceiling: ceiling)
            return sum + difference * difference
        }
    }

    /// The score of every window by a model that was fitted without its scenario: every `folds`-th scenario, in order of
    /// name, is left out in turn.
    func leftOutScores(folds: Int) -> [Double] {
        let scenarios = Set(windows.map(\.scenario)).sorted()
        var scores = [Double](repeating: 0, count: windows.count)
        for fold in 0..<folds {
            let leftOut = Set(scenarios.enumerated().filter { $0.offset % folds == fold }.map(\.element))
            let model = fitted { !leftOut.contains($0.scenario) }
            for (index, window) in windows.enumerated() where leftOut.contains(window.scenario) {
                scores[index] = score(window, with: model)
            }
        }
        return scores
    }
}
