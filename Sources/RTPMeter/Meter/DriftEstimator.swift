/// How fast the sender's clock runs against the observer's: least squares over the smallest transit time of each half second.
///
/// The smallest ones are used because queues only ever add to a transit time.
struct DriftEstimator: Sendable {
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var points: UInt32 = 0

    /// A point: at so many seconds of the stream, the smallest transit time was so many seconds.
    mutating func note(at seconds: Double, transit: Double) {
        points &+= 1
        sumX += seconds
        sumY += transit
        sumXX += seconds * seconds
        sumXY += seconds * transit
    }

    /// Parts per million by which the sender's clock is fast (positive) or slow; nil with less than 20 half seconds.
    var partsPerMillion: Double? {
        guard points >= 20 else { return nil }
        let count = Double(points)
        let spread = count * sumXX - sumX * sumX
        guard spread > 0 else { return nil }
        return -(count * sumXY - sumX * sumY) / spread * 1e6
    }
}
