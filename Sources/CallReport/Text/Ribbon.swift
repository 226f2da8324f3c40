import CallModel

/// The live series as a row of cells, condensed to a width by showing the worst of each group.
struct Ribbon {
    enum Cell: Hashable {
        case blackout
        case score(Int)
        case held
        case unknown
    }

    struct Step: Hashable {
        var start: Timestamp
        var cell: Cell
    }

    /// At most as many as the width given.
    let steps: [Step]
    /// When the last step ends.
    let end: Timestamp
    /// How many intervals stand behind each step, at most.
    let groupSize: Int
    /// Median length of the intervals, in ms; 0 without any.
    let intervalMilliseconds: Int64

    init(_ scores: [ScoreInterval], outages: [MediaOutage] = [], width: Int) {
        let lengths = scores.map { $0.end.milliseconds(since: $0.start) }.sorted()
        intervalMilliseconds = lengths.isEmpty ? 0 : max(1, lengths[lengths.count / 2])
        let all = Self.steps(of: scores, outages, interval: intervalMilliseconds)
        end = scores.last?.end ?? Timestamp(milliseconds: 0)
        groupSize = max(1, (all.count + width - 1) / width)
        steps = stride(from: 0, to: all.count, by: groupSize).map { [groupSize] start in
            Self.worst(of: all[start..<min(start + groupSize, all.count)], start: all[start].start)
        }
    }

    /// One step an interval, and unknown ones where no interval lies.
    private static func steps(of scores: [ScoreInterval], _ outages: [MediaOutage], interval: Int64) -> [Step] {
        var steps: [Step] = []
        var end: Timestamp?
        for score in scores {
            if let end { steps += gap(from: end, to: score.start, interval: interval) }
            let dark = outages.reduce(0) { $0 + $1.seconds(from: score.start, to: score.end) }
            steps.append(Step(start: score.start, cell: Cell(score, darkSeconds: dark)))
            end = score.end
        }
        return steps
    }

    private static func gap(from end: Timestamp, to start: Timestamp, interval: Int64) -> [Step] {
        let missing = (start.milliseconds(since: end) / 2 + interval / 4) / max(interval / 2, 1)
        guard missing > 0 else { return [] }
        return (0..<min(missing, longestGap)).map { index in
            Step(start: end.advanced(byMilliseconds: index * interval), cell: .unknown)
        }
    }

    /// Longer gaps are drawn this long; the times under the ribbon tell.
    private static let longestGap: Int64 = 120

    private static func worst(of steps: ArraySlice<Step>, start: Timestamp) -> Step {
        Step(start: start, cell: steps.map(\.cell).min { $0.rank < $1.rank } ?? .unknown)
    }
}

extension Ribbon.Cell {
    init(_ interval: ScoreInterval, darkSeconds: Double) {
        guard let score = interval.score else {
            self = interval.absence == .held ? .held : .unknown
            return
        }
        let seconds = interval.end.seconds(since: interval.start)
        let isDark = score <= 0 || darkSeconds >= 0.5 * seconds
        let isHeld = interval.heldSeconds >= 0.5 * seconds
        self = isHeld ? .held : isDark ? .blackout : .score(score)
    }

    /// What is worse comes first; a group without any score is held rather than unknown.
    fileprivate var rank: Int {
        switch self {
        case .blackout: -1
        case .score(let score): score
        case .held: 101
        case .unknown: 102
        }
    }

    var bar: Character {
        switch self {
        case .blackout: "x"
        case .score(let score): Self.bars[max(0, min(Self.bars.count - 1, score * Self.bars.count / 100))]
        case .held: "h"
        case .unknown: "·"
        }
    }

    var letter: Character {
        switch self {
        case .blackout: "x"
        case .score(let score): QualityBand(score: score).letter
        case .held: "h"
        case .unknown: "·"
        }
    }

    var band: QualityBand? {
        switch self {
        case .blackout: .bad
        case .score(let score): QualityBand(score: score)
        case .held, .unknown: nil
        }
    }

    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

extension MediaOutage {
    /// How much of it lies between two moments; where only a longer span is known in which it lies, as if it were spread over
    /// all of that.
    fileprivate func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        let length = (span.end ?? end).seconds(since: span.start)
        let common = min(end, span.end ?? end).seconds(since: max(start, span.start))
        guard common > 0, length > 0 else { return 0 }
        return min(1, seconds / length) * common
    }
}
