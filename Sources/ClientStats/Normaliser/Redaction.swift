import CallModel

/// Takes out what identifies or lets in: addresses are cut to the network, secrets and dialled digits dropped.
enum Redaction {
    private static let addresses: Set<String> = [
        "address", "ip", "ipAddress", "relatedAddress", "localAddress", "remoteAddress", "googLocalAddress",
        "googRemoteAddress",
    ]
    private static let secrets: Set<String> = [
        "usernameFragment", "iceLocalUsernameFragment", "password", "credential", "base64Certificate",
    ]
    private static let digits: Set<String> = ["digit", "digits", "tone", "tones"]

    /// Redacts the members of a statistics object.
    static func apply(to members: inout [String: JSONValue]) {
        for name in secrets { members[name] = nil }
        for name in addresses {
            if let text = members[name]?.text { members[name] = .string(NetworkAddress.cut(text)) }
        }
    }

    /// Redacts the members of an event, at every depth; text that is SDP loses its keys.
    static func applyDeep(to members: inout [String: JSONValue]) {
        apply(to: &members)
        for name in digits {
            guard let dialled = members.removeValue(forKey: name) else { continue }
            if members["count"] == nil, let count = count(of: dialled) { members["count"] = .integer(Int64(count)) }
        }
        for (name, value) in members where !addresses.contains(name) {
            members[name] = redacted(value)
        }
    }

    private static func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(SessionDescription.redact(text))
        case .array(let values): return .array(values.map(redacted))
        case .object(var members):
            applyDeep(to: &members)
            return .object(members)
        default: return value
        }
    }

    private static func count(of dialled: JSONValue) -> Int? {
        switch dialled {
        case .string(let text): text.count
        case .array(let values): values.count
        case .integer(let number): String(number).count
        default: nil
        }
    }
}

/// Session descriptions ([RFC 8866](https://www.rfc-editor.org/rfc/rfc8866)) and candidates inside events.
private enum SessionDescription {
    private static let secretLines = ["a=crypto:", "a=ice-pwd:", "a=ice-ufrag:"]
    private static let addressLines = ["c=IN ", "o=", "a=candidate:", "a=rtcp:", "candidate:"]

    static func redact(_ text: String) -> String {
        guard text.contains("a=") || text.contains("c=IN ") || text.hasPrefix("candidate:") else { return text }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let kept = lines.filter { line in !secretLines.contains { line.hasPrefix($0) } }
        let separator = text.contains("\r\n") ? "\r\n" : "\n"
        return kept.map(redactLine).joined(separator: separator)
    }

    private static func redactLine(_ line: Substring) -> String {
        guard addressLines.contains(where: { line.hasPrefix($0) }) else { return String(line) }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let cut = words.enumerated().map { index, word in
            // The fragment of a candidate is named by the word before it.
            index > 0 && words[index - 1] == "ufrag" ? "-" : NetworkAddress.cutIfAddress(word)
        }
        return cut.joined(separator: " ")
    }
}
