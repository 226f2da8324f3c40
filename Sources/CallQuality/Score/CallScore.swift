import CallModel

/// The score of a span from its parts.
enum CombinedScore {
    /// Both media: half their weighted mean, half the worse of the two; one medium: that one. `nil` without either.
    static func combine(audio: PartScore?, video: PartScore?) -> PartScore? {
        guard let audio, let video else { return audio ?? video }
        let audioWeight = audio.score <= video.score ? 0.5 * 0.6 + 0.5 : 0.5 * 0.6
        var costs = audio.costs.mapValues { $0 * audioWeight }
        for (cause, points) in video.costs {
            costs[cause, default: 0] += points * (1 - audioWeight)
        }
        return PartScore(
            score: audioWeight * audio.score + (1 - audioWeight) * video.score, costs: costs,
            missing: audio.missing + video.missing.filter { !audio.missing.contains($0) })
    }
}

extension CombinedScore {
    /// What the far end heard and saw of this end, 0...100: of the audio and of the video that were sent, each the
    /// stream with the most packets. `nil` when RTCP told nothing of either.
    static func farEnd(of streams: [StreamSummary]) -> Int? {
        func part(_ kind: MediaKind) -> PartScore? {
            let main = streams.filter { $0.stream.direction == .outbound && $0.stream.kind == kind }
                .max { ($0.packets ?? 0, $1.stream) < ($1.packets ?? 0, $0.stream) }
            return main?.score.map { PartScore(score: Double($0), costs: [:], missing: []) }
        }
        return combine(audio: part(.audio), video: part(.video))?.rounded
    }
}

/// The call's score from its windows: `100 − √(Σ t·c² / Σ t)`, c the points a window lost.
///
/// A bad stretch weighs more than in a mean: one window at 20 in a minute of 100s gives 67, not 87.
struct CallAggregate: Hashable, Archivable {
    private var squaredSeconds = 0.0
    private(set) var scoredSeconds = 0.0
    /// Those of which windows tell beyond their own.
    private var earlierSeconds = 0.0
    /// Points lost by cause, each window weighed by the points it lost, as the score weighs it.
    private var costSeconds: [QualityCause: Double] = [:]
    /// Milliseconds by score: enough for any percentile, and small.
    private var millisecondsByScore: [Int: Int64] = [:]
    /// The same for stretches of two windows, each for the time of its second.
    private var millisecondsByStretchScore: [Int: Int64] = [:]
    /// The lowest stretch.
    private(set) var worst: Stretch?

    /// Two windows, or one that is long, and their score.
    struct Stretch: Hashable, Archivable {
        var score: Int
        var span: TimeSpan
    }

    /// Takes in one window; one without a score does not count, and neither do seconds of which no stream tells.
    ///
    /// It weighs as much more as `earlierSeconds` of windows before it says, of which it tells.
    mutating func add(
        _ window: ScoreInterval, exactScore: Double, uncoveredSeconds: Double = 0, earlierSeconds earlier: Double = 0
    ) {
        guard let score = window.score else { return }
        let milliseconds = Self.weight(of: window, uncoveredSeconds)
        let seconds = Double(milliseconds) / 1000 + earlier
        scoredSeconds += Double(milliseconds) / 1000
        earlierSeconds += earlier
        squaredSeconds += seconds * (100 - exactScore) * (100 - exactScore)
        millisecondsByScore[score, default: 0] += milliseconds
        for (cause, points) in window.costs {
            costSeconds[cause, default: 0] += points * (100 - exactScore) * seconds
        }
    }

    /// Takes in a stretch that ends with `window`.
    mutating func add(_ stretch: Stretch, endingWith window: ScoreInterval, uncoveredSeconds: Double = 0) {
        millisecondsByStretchScore[stretch.score, default: 0] += Self.weight(of: window, uncoveredSeconds)
        if worst.map({ stretch.score < $0.score }) ?? true { worst = stretch }
    }

    /// Its milliseconds without hold. On hold streams may be gone, too: of such time nothing is taken off twice.
    private static func weight(of window: ScoreInterval, _ uncoveredSeconds: Double) -> Int64 {
        let unscored = max(window.heldSeconds, uncoveredSeconds)
        return max(1, window.end.milliseconds(since: window.start) - unscored.wholeMilliseconds)
    }

    /// 0...100; `nil` when no window has a score.
    var score: Int? {
        scoredSeconds > 0 ? PartScore.rounded(100 - pointsLost) : nil
    }

    /// Mean score of the worst stretches, 5 % of the time and at least one; never above ``score``.
    var worstScore: Int? {
        zip(score, meanOfWorstStretches).map { min($0, $1) }
    }

    private var meanOfWorstStretches: Int? {
        guard let worst else { return nil }
        let counted = 0.05 * Double(millisecondsByStretchScore.values.reduce(0, +))
        var left = counted
        guard left > Double(millisecondsByStretchScore[worst.score] ?? 0) else { return worst.score }
        var sum = 0.0
        for (score, milliseconds) in millisecondsByStretchScore.sorted(by: { $0.key < $1.key }) where left > 0 {
            sum += Double(score) * min(left, Double(milliseconds))
            left -= Double(milliseconds)
        }
        return Int((sum / counted).rounded())
    }

    /// √(Σ t·c² / Σ t); 0 when nothing was scored.
    private var pointsLost: Double {
        scoredSeconds > 0 ? (squaredSeconds / weighedSeconds).squareRoot() : 0
    }

    private var weighedSeconds: Double { scoredSeconds + earlierSeconds }

    /// Points lost by cause: Σ t·c·cₖ / (Σ t · points lost) for the cause k. Adds up to the points that the call lost.
    var costs: [QualityCause: Double] {
        let lost = pointsLost
        return lost > 0 ? costSeconds.mapValues { $0 / (weighedSeconds * lost) } : [:]
    }

    var secondsByBand: [QualityBand: Double] {
        millisecondsByScore.reduce(into: [QualityBand: Int64]()) {
            $0[QualityBand(score: $1.key), default: 0] += $1.value
        }.mapValues { Double($0) / 1000 }
    }
}

// MARK: - Archive

extension CallAggregate {
    func write(to archive: inout ArchiveWriter) {
        archive.put(squaredSeconds, scoredSeconds, earlierSeconds, costSeconds)
        archive.put(millisecondsByScore, millisecondsByStretchScore, worst)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (squaredSeconds, scoredSeconds, earlierSeconds, costSeconds) = try archive.get()
        (millisecondsByScore, millisecondsByStretchScore, worst) = try archive.get()
    }
}

extension CallAggregate.Stretch {
    /// A window as a stretch; `nil` for one without a score.
    init?(_ window: ScoreInterval) {
        guard let score = window.score else { return nil }
        self.init(score: score, span: TimeSpan(start: window.start, end: window.end))
    }

    func write(to archive: inout ArchiveWriter) {
        archive.put(score, span)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (score, span) = try archive.get()
    }
}
