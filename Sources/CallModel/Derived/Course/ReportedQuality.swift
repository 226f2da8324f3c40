/// The inbound quality that a client computed itself, 0...100: a step function that is told only when it changes.
public struct ReportedQuality: Hashable, Sendable, Codable {
    /// Mean over the time for which it is defined: from the first value to the end.
    public var mean: Double
    /// The least that the client told.
    public var minimum: Double
    /// Seconds for which it is defined.
    public var coveredSeconds: Double
    /// Seconds below 60.
    public var secondsBelow60: Double
    /// Times it changed.
    public var changes: Int
    /// Mean distance from the score computed here, in points, at the ends of the live series' intervals; `nil` where no
    /// interval has a score.
    public var meanDifference: Double?

    public init(
        mean: Double, minimum: Double, coveredSeconds: Double, secondsBelow60: Double, changes: Int,
        meanDifference: Double? = nil
    ) {
        self.mean = mean
        self.minimum = minimum
        self.coveredSeconds = coveredSeconds
        self.secondsBelow60 = secondsBelow60
        self.changes = changes
        self.meanDifference = meanDifference
    }
}
