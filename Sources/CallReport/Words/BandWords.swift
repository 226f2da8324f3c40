import CallModel

extension QualityBand {
    /// A sign that tells the band without colour.
    var sign: String {
        switch self {
        case .excellent: "●"
        case .good: "◐"
        case .fair: "◔"
        case .poor: "▲"
        case .bad: "✕"
        }
    }

    /// One letter for the band under the ribbon.
    var letter: Character {
        switch self {
        case .excellent: "E"
        case .good: "G"
        case .fair: "F"
        case .poor: "P"
        case .bad: "B"
        }
    }

    /// The lowest score of the band.
    var lowestScore: Int {
        (0...100).first { QualityBand(score: $0) == self } ?? 0
    }
}
