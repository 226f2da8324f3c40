import CallModel

/// The types that statistics objects are known to have.
enum KnownTypes {
    static let note = "an object with an SSRC is of a type that is not known, and counts as no stream"

    /// Those of [webrtc-stats](https://www.w3.org/TR/webrtc-stats/) and its earlier versions, and the one that stands in for
    /// a missing one.
    private static let names: Set<String> = [
        "candidate-pair", "certificate", "codec", "csrc", "data-channel", "ice-server", "inbound-rtp",
        "local-candidate", "media-playout", "media-source", "outbound-rtp", "peer-connection", "receiver",
        "remote-candidate", "remote-inbound-rtp", "remote-outbound-rtp", "sctp-transport", "sender", "stream", "track",
        "transceiver", "transport", StatsType.unknown.rawValue,
    ]

    /// The types among those of a report that are not known; none of one that Chrome had before W3C's (`isGoog`), which
    /// leaves types of its own.
    static func unknown(among objects: [StatsObject], isGoog: Bool) -> Set<StatsType> {
        isGoog ? [] : Set(objects.lazy.map(\.type).filter { !names.contains($0.rawValue) })
    }
}
