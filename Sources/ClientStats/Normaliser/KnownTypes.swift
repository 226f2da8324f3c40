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

    static let withoutTypeNote = "an object without a type was left out"

    /// Whether this is the name of a type, in the spelling of any engine.
    static func isName(_ name: String?) -> Bool {
        guard let name else { return false }
        return name != StatsType.unknown.rawValue && names.contains(name) || OldNames.types[name] != nil
    }

    /// Whether some object is of a known type, or of one that Chrome had before W3C's: else nothing of a report is of use.
    static func areAmong(_ objects: [StatsObject]) -> Bool {
        objects.contains { isName($0.type.rawValue) || $0.type.rawValue.hasPrefix("goog") }
    }

    /// The types among those of a report that are not known; none of one that Chrome had before W3C's (`isGoog`), which
    /// leaves types of its own.
    static func unknown(among objects: [StatsObject], isGoog: Bool) -> Set<StatsType> {
        isGoog ? [] : Set(objects.lazy.map(\.type).filter { !names.contains($0.rawValue) })
    }
}
