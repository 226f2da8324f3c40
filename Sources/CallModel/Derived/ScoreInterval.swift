/// How the inbound media of a call were over a span of time: one point of its score.
public struct ScoreInterval: Hashable, Sendable, Codable {
    /// Which series the interval belongs to.
    public enum Series: String, Hashable, Sendable, Codable, CaseIterable {
        /// The live series: the cadence of the reports, but not finer than 5 s.
        case live
        /// Windows of 10 s counted from first media: the basis of the call's aggregate and, two in a row, of its worst stretch.
        case window
    }

    /// Why an interval has no score.
    public enum Absence: String, Hashable, Sendable, Codable, CaseIterable {
        /// Media were put on hold for the whole span.
        case held
        /// No media were expected, or none had arrived yet.
        case noMedia
        /// The members a score needs were not reported; see ``ScoreInterval/missing``.
        case insufficient
    }

    /// Which series this belongs to.
    public var series: Series
    /// Begin of the span, on the client's clock.
    public var start: Timestamp
    /// End of the span, on the client's clock.
    public var end: Timestamp
    /// Inbound quality, 0...100, 100 = nothing to hear or see; `nil` as ``absence`` says.
    public var score: Int?
    /// The audio part of ``score``, 0...100; `nil` without inbound audio.
    public var audioScore: Int?
    /// The video part of ``score``, 0...100; `nil` without inbound video.
    public var videoScore: Int?
    /// Points lost by cause; adds up to 100 minus the unrounded score.
    public var costs: [QualityCause: Double]
    /// `nil` when there is a score.
    public var absence: Absence?
    /// W3C members that were absent and would have made the score better founded, sorted.
    public var missing: [String]
    /// Seconds of the span in which media were on hold; they do not count.
    public var heldSeconds: Double
    /// R and mean opinion scores of the audio; `nil` without an audio score, and where nothing is known of the codec.
    public var rating: TransmissionRating?
    /// Whether clients are told: the first score, then each whose integer differs from the one told before.
    public var isEmitted: Bool

    public init(
        series: Series, start: Timestamp, end: Timestamp, score: Int?, audioScore: Int? = nil, videoScore: Int? = nil,
        costs: [QualityCause: Double] = [:], absence: Absence? = nil, missing: [String] = [], heldSeconds: Double = 0,
        isEmitted: Bool = false
    ) {
        self.series = series
        self.start = start
        self.end = end
        self.score = score
        self.audioScore = audioScore
        self.videoScore = videoScore
        self.costs = costs
        self.absence = absence
        self.missing = missing
        self.heldSeconds = heldSeconds
        self.isEmitted = isEmitted
    }

    /// The cause that took the most points; `nil` when none took any.
    public var leadingCause: QualityCause? {
        costs.filter { $0.value > 0.5 }.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}

extension QualityCause: CodingKeyRepresentable {}
