/// What a file was recognised as.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
    /// Nothing but white space, which is what an empty report is printed as.
    case empty
    /// Reports, events or both: one a line, an array of them, or one alone.
    case reports
    /// `CallStatistics.log` of the Kandy sample: `[[callId, [report, …]], …]`.
    case callStatisticsLog
    /// The dump of `chrome://webrtc-internals`.
    case webrtcInternals
    /// The dump of rtcstats before its file format 3: `[name, connection, value, time]` a line.
    case rtcstatsLegacy
    /// The dump of rtcstats from file format 3 on, and what Chrome exports as `RTCStatsDump`.
    case rtcstats
    /// The file of a client that rtcstats-server keeps: events by connection in one JSON text.
    case rtcstatsClientFile
}

extension ImportFormat: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "an empty file"
        case .reports: "statistics reports and events"
        case .callStatisticsLog: "a CallStatistics.log"
        case .webrtcInternals: "a webrtc-internals dump"
        case .rtcstatsLegacy: "an rtcstats dump of the old format"
        case .rtcstats: "an RTCStatsDump"
        case .rtcstatsClientFile: "a client file of rtcstats-server"
        }
    }
}
