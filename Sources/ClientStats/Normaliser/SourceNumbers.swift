import CallModel

/// SSRCs have 32 bits and no sign (RFC 3550 §5.1). What keeps them in a number of 32 bits with one prints those from 2³¹ on
/// as numbers below 0.
enum SourceNumbers {
    private static let ofStreams = ["ssrc", "rtxSsrc", "fecSsrc"]
    private static let lists = ["audio", "video", "audioSSRCs", "videoSSRCs", "ssrcs"]

    /// Those of a statistics object.
    static func apply(to members: inout JSONObject) {
        for name in ofStreams {
            if let number = members[name].flatMap(unsigned) { members[name] = number }
        }
    }

    /// Whether an event tells SSRCs of the call.
    static func isConcern(ofType type: String) -> Bool {
        type.lowercased().hasPrefix("didreceivessrcs")
    }

    /// Those that an event tells, in its members or in their `detail`.
    static func applyToEvent(_ members: inout JSONObject) {
        applyToLists(of: &members)
        guard case .object(var detail)? = members["detail"] else { return }
        applyToLists(of: &detail)
        members["detail"] = .object(detail)
    }

    private static func applyToLists(of members: inout JSONObject) {
        for name in lists {
            guard case .array(let values)? = members[name] else { continue }
            members[name] = .array(values.map { unsigned($0) ?? $0 })
        }
    }

    /// - Returns: `nil` where the value is no such number.
    private static func unsigned(_ value: JSONValue) -> JSONValue? {
        guard let number = value.wholeNumber, number < 0, let signed = Int32(exactly: number) else { return nil }
        return .integer(Int64(UInt32(bitPattern: signed)))
    }
}
