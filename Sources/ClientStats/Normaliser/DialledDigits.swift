import CallModel

/// Events that tell of tones: passwords and account numbers are dialled with them, so only their number is kept, whatever
/// the members are called (`value`, `Tone`, `dtmfTones`, `detail` as text).
enum DialledDigits {
    /// Members that say what was dialled; see ``Redaction``.
    static let members: Set<String> = [
        "digit", "digits", "dtmf", "dtmfCode", "dtmfDigit", "dtmfDigits", "dtmfTone", "dtmfTones", "tone", "tones",
    ]
    /// In an event that tells of tones these do so, too.
    private static let others: Set<String> = ["code", "key", "keys", "value"]
    /// What of such an event is kept as it was sent.
    private static let kept: Set<String> = [
        "channelUrl", "connectionId", "count", "implausibleTime", "pc", "peerConnectionId", "queued", "role",
        "sessionId", "side", "source", "success", "typeAsSent", "userAgent",
    ]

    /// The action or type of such an event without what was dialled behind the word: `sendDTMF:48151`.
    static func name(_ name: String) -> String {
        let end = endOfWord(in: name) ?? name.startIndex
        return name[..<end] + name[end...].filter { !$0.isNumber && $0 != "*" && $0 != "#" }
    }

    /// Where `dtmf` ends in a name, in whatever case; `nil` when it is not there.
    private static func endOfWord(in name: String) -> String.Index? {
        let word = "dtmf"
        var start = name.startIndex
        while let end = name.index(start, offsetBy: word.count, limitedBy: name.endIndex) {
            if name[start..<end].lowercased() == word { return end }
            start = name.index(after: start)
        }
        return nil
    }

    /// Leaves how many there were, whether they wait, and who told.
    static func cutAll(in members: inout JSONObject) {
        let detail = members["detail"]
        members = cut(members)
        switch detail {
        case .object(let inner)?:
            let inner = cut(inner)
            if !inner.isEmpty { members["detail"] = .object(inner) }
        case let dialled? where members["count"] == nil:
            members["count"] = count(of: dialled).map { .integer(Int64($0)) }
        default: break
        }
    }

    private static func cut(_ members: JSONObject) -> JSONObject {
        var left = members.filter { name, value in
            kept.contains(name) && (name != "count" || value.wholeNumber.map { $0 <= mostTones } == true)
                && (name != "queued" || value.truth != nil)
        }
        let counts = members.filter { isDialled($0.key) }.compactMap { count(of: $0.value) }
        if left["count"] == nil, let most = counts.max() { left["count"] = .integer(Int64(most)) }
        return left
    }

    /// More are no count, and may be what was dialled.
    private static let mostTones: Int64 = 1_000

    private static func isDialled(_ name: String) -> Bool {
        Redaction.isDialled(name) || others.contains(name.lowercased())
    }

    /// How many tones a value has.
    static func count(of dialled: JSONValue) -> Int? {
        switch dialled {
        case .string(let text): text.count
        case .array(let values): values.count
        case .integer(let number): String(number).count
        default: nil
        }
    }
}
