import PacketCapture

/// What a sensor listens to, and how.
struct SensorSettings: Hashable, Sendable {
    /// Where packets come from.
    enum Source: Hashable, Sendable {
        case interface(String, LiveOptions)
        case file(String, filter: String?)
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
        case .file(let path, _): path
        }
    }

    var isLive: Bool {
        if case .interface = source { return true }
        return false
    }
}
