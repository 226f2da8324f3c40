/// How fast the sender's clock runs against the observer's: least squares over the smallest transit time of each half second.
///
/// The smallest ones are used because queues only ever add to a transit time.
struct DriftEstimator: Sendable {
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var points: UInt32 = 0

    /// Sum of the squares by which each point was off the line of those before it, weighed so that it is what they are off
    /// the line of all.
    private var scatter: Float = 0

    /// A point: at so many seconds of the stream, the smallest transit time was so many seconds.
    mutating func note(at seconds: Double, transit: Double) {
        noteScatter(at: seconds, transit: transit)
        points &+= 1
        sumX += seconds
        sumY += transit
        sumXX += seconds * seconds
        sumXY += seconds * transit
    }

    private mutating func noteScatter(at seconds: Double, transit: Double) {
        let count = Double(points)
        guard points >= 2, spread > 0 else { return }
        let distance = seconds - sumX / count
        let off = transit - sumY / count - slope * distance
        let weight = 1 / (1 + 1 / count + distance * distance * count / spread)
        scatter += Float(off * off * weight)
    }

    /// Variance of the times of the points, by the square of their number.
    private var spread: Double { Double(points) * sumXX - sumX * sumX }

    /// Seconds of transit time a second. Only with a spread.
    private var slope: Double { (Double(points) * sumXY - sumX * sumY) / spread }

    /// Parts per million by which the sender's clock is fast (positive) or slow; nil with less than 20 half seconds, and
    /// where a change of the path may have been it.
    ///
    /// A path that becomes slower by s seconds, once in a span of T, tilts the line by up to 1.5 s/T, and the points are then
    /// s/4 off it. So what they are off, times 6/T, is in doubt: more than 100 ppm of that, as much as clocks differ by
    /// (IEEE 802.3 allows as many), must be less than half of what is told.
    var partsPerMillion: Double? {
        guard points >= 20, spread > 0 else { return nil }
        let count = Double(points)
        let span = (12 * spread).squareRoot() / count
        let doubt = 6 * (Double(scatter) / count).squareRoot() / span
        guard doubt <= max(100e-6, abs(slope) / 2) else { return nil }
        return -slope * 1e6
    }
}
