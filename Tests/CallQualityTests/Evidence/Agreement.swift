import Foundation

/// How well what was predicted agrees with what was heard.
struct Agreement {
    /// Rank correlation, −1...1.
    let spearman: Double
    /// Linear correlation, −1...1.
    let pearson: Double
    /// Root mean square error in MOS of what the line predicts.
    let error: Double

    /// Compares scores, and what the straight line that fits them best makes of them, with MOS.
    init(scores: [Double], heard: [Double]) {
        let predicted = scores.map(Line(from: scores, to: heard).value)
        let squares = zip(predicted, heard).map { ($0 - $1) * ($0 - $1) }
        spearman = Line.correlation(Self.ranks(scores), Self.ranks(heard))
        pearson = Line.correlation(scores, heard)
        error = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
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

/// The rows of a table of evidence, as `Scripts/score-evidence` prints it.
struct AgreementTable {
    private let title: String
    private var lines: [String] = []

    init(_ title: String) {
        self.title = title
    }

    mutating func add(_ name: String, _ agreements: [Agreement]) {
        let figures = agreements.map { String(format: "%6.3f %6.3f %6.3f", $0.spearman, $0.pearson, $0.error) }
        lines.append(name.padding(toLength: 34, withPad: " ", startingAt: 0) + figures.joined(separator: "   "))
    }

    var text: String {
        ([title, "(Spearman, Pearson, RMSE in MOS after a linear map)"] + lines).joined(separator: "\n")
    }
}
