import RTPMeter

/// Sources that somebody receives, by its reports, and the capture does not have.
struct UnseenSources {
    /// The highest number of each that came.
    private var highest: [UInt32: UInt32] = [:]
    /// Whether packets of one came in between two reports on it.
    private(set) var areReceived = false

    /// As many as one report can have (RFC 3550 §6.4.1).
    private static let most = 31

    /// Takes a report on such a source.
    mutating func take(_ block: ReportBlock) {
        if let known = highest[block.ssrc] {
            areReceived = areReceived || known != block.highestSequence
        } else if highest.count >= Self.most {
            return
        }
        highest[block.ssrc] = block.highestSequence
    }
}
