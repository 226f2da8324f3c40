/// A call's score from beginning to end in a few numbers: for each part of the time the least of its windows.
///
/// A part without a score is one in which there was none; a blackout never disappears in a mean.
public struct ScoreRibbon: Hashable, Sendable {
    /// The least score of each part, 0...100, in order of time; `nil` where no window has one. Empty without windows.
    public var scores: [Int?]

    /// Windows have this length; parts are not shorter. In ms.
    private static let windowMilliseconds: Int64 = 10_000

    /// - Parameters:
    ///   - windows: start, end and score of each, in order of start.
    ///   - parts: at most so many; at least 1.
    public init(_ windows: [(start: Timestamp, end: Timestamp, score: Int?)], parts: Int) {
        guard let first = windows.first, let end = windows.map(\.end).max() else {
            scores = []
            return
        }
        let length = max(1, end.milliseconds(since: first.start))
        let most = Int64(max(1, parts))
        let width = max(Self.windowMilliseconds, (length - 1) / most + 1)
        scores = [Int?](repeating: nil, count: Int((length - 1) / width + 1))
        for window in windows {
            guard let score = window.score else { continue }
            let part = min(scores.count - 1, max(0, Int(window.start.milliseconds(since: first.start) / width)))
            scores[part] = min(score, scores[part] ?? score)
        }
    }
}
