/// The round trip of a connection while nothing holds it up: what longer ones are held against.
struct UsualRoundTrip: Archivable {
    private var open = RoundTripTotals()

    /// The least of many single round trips over a path with jitter lies far below all others: means of so many are compared.
    private static let leastMeasurements = 4.0

    /// The least mean so far; `nil` before enough was measured.
    private(set) var milliseconds: Double?

    mutating func take(_ roundTrip: RoundTripTotals) {
        open.add(seconds: roundTrip.seconds, measurements: roundTrip.measurements)
        guard open.measurements >= Self.leastMeasurements, let mean = open.meanMilliseconds, mean.isFinite else {
            return
        }
        milliseconds = min(milliseconds ?? mean, mean)
        open = RoundTripTotals()
    }
}

// MARK: - Archive

extension UsualRoundTrip {
    func write(to archive: inout ArchiveWriter) {
        archive.put(open, milliseconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (open, milliseconds) = try archive.get()
    }
}
