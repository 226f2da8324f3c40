import CallModel
import JSONText

/// Gives the W3C spelling to names that other languages' habits have changed: `packets_received` as Rust and Python print it,
/// `packets-received` as GStreamer does.
enum Spelling {
    private static let ofStreams = ["packetsReceived", "packetsSent", "packetsLost", "bytesReceived", "bytesSent"]

    /// Spells the members of a report, where a stream has none of those that all streams have in the W3C spelling.
    static func apply(to objects: inout [RawObject]) {
        guard objects.contains(where: { isForeign($0.members) }) else { return }
        for index in objects.indices {
            var spelled = JSONObject()
            for (name, value) in objects[index].members { spelled[w3c(name)] = value }
            spelled["type"] = spelled["type"].map { $0.text.map { .string(type($0)) } ?? $0 }
            objects[index].members = spelled
        }
    }

    private static func isForeign(_ members: JSONObject) -> Bool {
        guard let type = members["type"]?.text.map(type), type.hasSuffix("bound-rtp") else { return false }
        return !ofStreams.contains { members[$0] != nil }
    }

    private static func type(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        let hyphenated = String(name.map { $0 == "_" ? "-" : $0 })
        return KnownTypes.isName(hyphenated) ? hyphenated : name
    }

    /// The name in W3C's spelling, if it has one.
    private static func w3c(_ name: String) -> String {
        let parts = name.split { $0 == "_" || $0 == "-" }
        guard parts.count > 1, let first = parts.first else { return name }
        let joined = first + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return MemberNames.index.number(of: String(joined)) == nil ? name : String(joined)
    }
}
