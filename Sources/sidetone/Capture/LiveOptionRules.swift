/// What may be given for a sensor, wherever it is given.
enum LiveOptionRules {
    /// The kernel takes less than 2 GiB.
    static let bufferMebibytes = 1...2047
    /// Below this SIP and the headers of RTP are cut; above it nothing is gained.
    static let snapLengths = 96...262_144
    static let summarySeconds = 0...3600
    static let snapshotSeconds = 1...60
    static let flushSeconds = 1...3600
}
