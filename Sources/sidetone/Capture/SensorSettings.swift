import PacketCapture

/// What a sensor listens to, and how.
struct SensorSettings: Hashable, Sendable {
    /// Where packets come from.
    enum Source: Hashable, Sendable {
        case interface(String, LiveOptions)
        /// One, or those that a capture was rotated into; at least one.
        case files([String], filter: String?)
    }

    var source: Source
    var probe: ProbeOptions
    /// The account to go on as once the source is open; nil to stay who started the program.
    var user: String?
    /// Seconds between two summaries; nil for none.
    var summarySeconds: Int?

    /// The interface or file, for messages.
    var sourceName: String {
        switch source {
        case .interface(let name, _): name
        case .files(let paths, _): paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
        }
    }

    var isLive: Bool {
        if case .interface = source { return true }
        return false
    }
}
