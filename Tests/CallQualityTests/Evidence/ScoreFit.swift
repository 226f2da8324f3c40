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

    /// How well predicted and heard quality agree.
    struct Agreement {
        var spearman: Double
        /// Root mean square error in MOS after a linear map.
        var error: Double
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

    /// Agreement of a model with everything that was heard.
    func agreement(of model: ScoreModel) -> Agreement {
        let scores = windows.map { score($0, with: model) }
        let line = Line(from: scores, to: windows.map(\.pesq))
        return agreement(predicted: scores.map(line.value))
    }

    /// Agreement on scenarios left out of the fit: every `folds`-th scenario, in order of name, in turn.
    func leftOutAgreement(folds: Int) -> Agreement {
        let scenarios = Set(windows.map(\.scenario)).sorted()
        var predicted = [Double](repeating: 0, count: windows.count)
        for fold in 0..<folds {
            let leftOut = Set(scenarios.enumerated().filter { $0.offset % folds == fold }.map(\.element))
            let model = fitted { !leftOut.contains($0.scenario) }
            let training = windows.filter { !leftOut.contains($0.scenario) }
            let line = Line(from: training.map { score($0, with: model) }, to: training.map(\.pesq))
            for (index, window) in windows.enumerated() where leftOut.contains(window.scenario) {
                predicted[index] = line.value(score(window, with: model))
            }
        }
        return agreement(predicted: predicted)
    }

    private func agreement(predicted: [Double]) -> Agreement {
        let heard = windows.map(\.pesq)
        let squares = zip(predicted, heard).map { ($0 - $1) * ($0 - $1) }
        return Agreement(
            spearman: Line.correlation(Self.ranks(predicted), Self.ranks(heard)),
            error: (squares.reduce(0, +) / Double(squares.count)).squareRoot())
    }

    /// Ranks from 1; ties share their mean rank.
    private static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start
            while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
            for position in start...end { ranks[order[position]] = Double(start + end) / 2 + 1 }
            start = end + 1
        }
        return ranks
    }
}

/// A least-squares line.
struct Line {
    let slope: Double
    let offset: Double

    init(from x: [Double], to y: [Double]) {
        let (meanX, meanY) = (Self.mean(x), Self.mean(y))
        let spread = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let together = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        slope = spread > 0 ? together / spread : 0
        offset = meanY - slope * meanX
    }

    func value(_ x: Double) -> Double { offset + slope * x }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    static func correlation(_ x: [Double], _ y: [Double]) -> Double {
        let (meanX, meanY) = (mean(x), mean(y))
        let together = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        let spreadX = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let spreadY = y.reduce(0) { $0 + ($1 - meanY) * ($1 - meanY) }
        return together / (spreadX * spreadY).squareRoot()
    }
}
