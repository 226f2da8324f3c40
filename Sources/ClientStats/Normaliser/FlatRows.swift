import CallModel

/// Rows that have one object for a stream, with what W3C keeps in others beside it (codec, far end): those of mediasoup's
/// producers and consumers, and of LiveKit's `getSenderStats()` and `getReceiverStats()`.
enum FlatRows {
    /// Gives such rows W3C's types, names and units, and what is not the stream's own objects of its own.
    /// - Returns: what was done, for the notes of the report.
    static func unfold(_ objects: inout [RawObject]) -> [String] {
        var added: [RawObject] = []
        var notes: Set<String> = []
        for index in objects.indices {
            if readMediasoup(&objects[index].members) {
                notes.insert("rows of mediasoup, brought to W3C's names and units")
            } else if readLiveKit(&objects[index].members) {
                notes.insert("rows of LiveKit, brought to W3C's types")
            } else {
                continue
            }
            objects[index].members["id"] = .string(id(of: objects[index]))
            added += takeOut(of: &objects[index].members)
        }
        objects.append(unknown: added)
        return notes.sorted()
    }

    /// Whether an object with nothing around it is a row, though its type is that of no statistics object.
    static func isRow(_ members: JSONObject) -> Bool {
        var members = members
        return readLiveKit(&members)
    }

    private static func id(of row: RawObject) -> String {
        switch row.members["id"] {
        case .string(let text) where !text.isEmpty: text
        case .integer(let number): "\(number)"
        default: row.key.hasPrefix("#") ? "\(row.members["type"]?.text ?? "")\(row.key)" : row.key
        }
    }

    private static func isOutbound(_ members: JSONObject) -> Bool { members["type"] == "outbound-rtp" }

    /// Far ends say these of what is sent; of what is received they are the stream's own.
    private static let ofFarEnd = ["packetsLost", "fractionLost", "jitter", "roundTripTime"]

    /// What the far end says of what was sent, and the codec.
    private static func takeOut(of members: inout JSONObject) -> [RawObject] {
        var added: [RawObject] = []
        if isOutbound(members), ofFarEnd.contains(where: { members[$0] != nil }), let id = members["id"] {
            var remote: JSONObject = ["type": "remote-inbound-rtp", "localId": id]
            remote["kind"] = members["kind"]
            remote["ssrc"] = members["ssrc"]
            for name in ofFarEnd { remote[name] = members.removeValue(forKey: name) }
            added.append(RawObject(key: "remote-\(id.text ?? "")", members: remote))
        }
        if members["codecId"] == nil, let mimeType = members["mimeType"]?.text {
            members["codecId"] = .string("codec-\(mimeType)")
            added.append(
                RawObject(key: "codec-\(mimeType)", members: ["type": "codec", "mimeType": .string(mimeType)]))
        }
        return added
    }
}

// MARK: - mediasoup

extension FlatRows {
    /// A moment before this is none since 1970, but one since the machine was started: 1973 in milliseconds.
    private static let leastEpochMilliseconds = 1e11

    /// Times count from the start of the machine, jitter and round trips are in ms, shares in 256ths.
    private static func readMediasoup(_ members: inout JSONObject) -> Bool {
        let type = members["type"]?.text
        guard type == "inbound-rtp" || type == "outbound-rtp", members["packetCount"] != nil,
            members["byteCount"] != nil, members["packetsReceived"] == nil, members["packetsSent"] == nil
        else { return false }
        let isSent = isOutbound(members)
        members[isSent ? "packetsSent" : "packetsReceived"] = members.removeValue(forKey: "packetCount")
        members[isSent ? "bytesSent" : "bytesReceived"] = members.removeValue(forKey: "byteCount")
        // Packets that the server itself has no use for, and none that came too late to be played.
        members["packetsDiscarded"] = nil
        // Those among the packets received that were sent again.
        if !isSent { members.copy("packetsRepaired", to: "retransmittedPacketsReceived") }
        // As the far end's, its unit changed from version to version.
        if isSent { members["jitter"] = nil }
        for name in ["jitter", "roundTripTime"] { divide(name, by: 1000, in: &members) }
        divide("fractionLost", by: 256, in: &members)
        if let time = members["timestamp"]?.number, time < leastEpochMilliseconds { members["timestamp"] = nil }
        return true
    }

    private static func divide(_ name: String, by divisor: Double, in members: inout JSONObject) {
        guard let value = members[name]?.number else { return }
        members[name] = JSONValue(fraction: value / divisor)
    }
}

// MARK: - LiveKit

extension FlatRows {
    /// W3C's names and units, with the kind of media for a type, and the id of the stream for `streamId`.
    private static func readLiveKit(_ members: inout JSONObject) -> Bool {
        guard let kind = members["type"]?.text, MediaKind(rawValue: kind) != nil, members["kind"] == nil,
            let id = members["streamId"]
        else { return false }
        let isReceived = members["packetsReceived"] != nil || members["bytesReceived"] != nil
        guard isReceived != (members["packetsSent"] != nil || members["bytesSent"] != nil) else { return false }
        members["kind"] = .string(kind)
        members["type"] = isReceived ? "inbound-rtp" : "outbound-rtp"
        if members["id"] == nil { members["id"] = id }
        return true
    }
}
