import CallModel
import JSONText

/// Takes out what identifies or lets in: addresses are cut to the network, secrets, names of devices and dialled digits
/// dropped.
struct Redaction {
    /// What is kept of addresses.
    let policy: AddressPolicy

    private static let addresses: Set<String> = [
        "address", "ip", "ipAddress", "relatedAddress", "localAddress", "remoteAddress", "googLocalAddress",
        "googRemoteAddress",
    ]
    private static let secrets: Set<String> = [
        "usernameFragment", "iceLocalUsernameFragment", "password", "credential", "base64Certificate",
        // The server of a candidate, which may name its user; and how one logs in there.
        "url", "username", "ufrag", "pwd", "icePwd", "iceUfrag",
    ]
    /// What people call their devices, and what tells one from all others.
    private static let devices: Set<String> = [
        "deviceId", "deviceLabel", "deviceName", "groupId", "trackLabel",
    ]
    /// Identifiers, which must stay as they are to be found again, and texts with numbers that look like addresses.
    private static let verbatim: Set<String> = [
        "aliases", "callId", "channelUrl", "codecImplementation", "decoderImplementation", "encoderImplementation",
        "fingerprint", "peerConnectionId", "sessionId", "typeAsSent", "userAgent", "userToUser",
    ]

    /// Redacts the members of a statistics object.
    func apply(to members: inout JSONObject) {
        cutNames(of: &members)
        members.updateEach { name, value in
            let meaning = Self.meaning(of: name)
            if meaning == .dialled { return .remove }
            if let named = changed(value, meaning) { return named }
            switch value {
            case .string(let text):
                guard let kept = textKept(text, named: name) else { return .keep }
                return .replace(.string(kept))
            case .array, .object: return .replace(redacted(value, named: name))
            default: return .keep
            }
        }
    }

    /// What becomes of a value by what its name means: what must not be kept is dropped, an address cut; `nil` where
    /// the name says nothing.
    private func changed(_ value: JSONValue, _ meaning: Meaning?) -> JSONObject.Update? {
        switch meaning {
        case .secret: return .remove
        case .address: return value.text.map { .replace(.string(NetworkAddress.keep($0, by: policy))) }
        case .dialled, nil: return nil
        }
    }

    /// What is kept of a text: not its secrets, not the keys of a session description in it, not its addresses; `nil`
    /// when that is all of it.
    private func textKept(_ text: String, named name: String) -> String? {
        let marks = TextMarks(text)
        guard marks.mayHoldSecret || marks.mayDescribeSession else { return textCut(text, marks, named: name) }
        let open = SecretText.redact(SessionDescription.redact(text, by: policy))
        let kept = textCut(open, TextMarks(open), named: name) ?? open
        return kept == text ? nil : kept
    }

    /// The text with its addresses cut; `nil` when there are none.
    private func textCut(_ text: String, _ marks: TextMarks, named name: String) -> String? {
        guard marks.mayHoldAddress, !Self.verbatim.contains(name), !name.hasSuffix("ersion") else { return nil }
        return AddressText.redact(text, by: policy)
    }

    /// Redacts the members of an event, at every depth; text that is SDP loses its keys.
    func applyDeep(to members: inout JSONObject) {
        cutNames(of: &members)
        members.updateEach { changed($1, Self.meaning(of: $0)) ?? .keep }
        members["label"] = nil
        for name in DeviceKind.members {
            if let text = members[name]?.text { members[name] = .string(DeviceKind.cut(text)) }
        }
        for name in members.map(\.key) where Self.isDialled(name) {
            guard let dialled = members.removeValue(forKey: name), members["count"] == nil else { continue }
            members["count"] = DialledDigits.count(of: dialled).map { .integer(Int64($0)) }
        }
        members.updateEach { name, value in
            let isCut = value.text != nil && Self.meaning(of: name) == .address
            return isCut ? .keep : .replace(redacted(value, named: name))
        }
    }

    /// An address may be the name of a member, and a secret in it: `{"203.0.113.77": "unreachable"}`.
    private func cutNames(of members: inout JSONObject) {
        for name in members.keys.filter({ $0.utf8.contains(where: Self.isMark) }) {
            guard let kept = textKept(name, named: ""), kept != name, let value = members.removeValue(forKey: name)
            else { continue }
            if members[kept] == nil { members[kept] = value }
        }
    }

    /// What hardly any name has, and every address and whatever stands before a secret: no letter and no digit.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte < UInt8(ascii: "@") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func redacted(_ value: JSONValue, named name: String) -> JSONValue {
        switch value {
        case .string(let text): return .string(textKept(text, named: name) ?? text)
        case .array(let values): return .array(values.map { redacted($0, named: name) })
        case .object(var members):
            applyDeep(to: &members)
            return .object(members)
        default: return value
        }
    }

}

// MARK: Names

extension Redaction {
    /// What the name of a member says of its value.
    private enum Meaning {
        /// Lets in, or names what belongs to somebody.
        case secret
        case address
        case dialled
    }

    /// Whether a member says what was dialled.
    static func isDialled(_ name: String) -> Bool { meaning(of: name) == .dialled }

    /// However it is spelled: `icePwd`, `ice_pwd` and `IcePwd` are one name.
    private static func meaning(of name: String) -> Meaning? {
        guard shapes[shape(of: name)] || SecretNames.mayName(name) else { return nil }
        if let number = MemberNames.index.number(of: name) { return frequent[number] }
        return spoken(name)
    }

    private static func spoken(_ name: String) -> Meaning? {
        meanings[folded(name)] ?? (SecretNames.extent(of: name) == nil ? nil : .secret)
    }

    /// What each name of ``MemberNames/index`` says.
    private static let frequent = MemberNames.index.names.map(spoken)

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for name in secrets.union(devices) { meanings[folded(name)] = .secret }
        for name in addresses { meanings[folded(name)] = .address }
        for name in DialledDigits.members { meanings[folded(name)] = .dialled }
        return meanings
    }()

    /// In small letters, and without what stands between words.
    static func folded(_ name: String) -> String {
        let bytes = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Which first letters go with which lengths in the names that mean something: every member of every report is
    /// asked, and hardly any is one.
    private static let shapes: [Bool] = {
        var shapes = Array(repeating: false, count: 1 << 10)
        for name in secrets.union(devices).union(addresses).union(DialledDigits.members) {
            shapes[shape(of: name)] = true
            let words = name.utf8.count { (0x41...0x5A).contains($0) }
            shapes[shape(of: name, between: words)] = true
        }
        return shapes
    }()

    /// What is looked at first: length and first letter, with so many bytes more between the words of a name.
    private static func shape(of name: String, between: Int = 0) -> Int {
        min(name.utf8.count + between, 31) << 5 | Int((name.utf8.first ?? 0) & 31)
    }
}

/// Session descriptions ([RFC 8866](https://www.rfc-editor.org/rfc/rfc8866)) and candidates inside events.
private enum SessionDescription {
    private static let secretLines = ["a=crypto:", "a=ice-pwd:", "a=ice-ufrag:"]
    private static let addressLines = ["c=IN ", "o=", "a=candidate:", "a=rtcp:", "candidate:"]

    static func redact(_ text: String, by policy: AddressPolicy) -> String {
        guard text.spells("a=") || text.spells("c=IN ") || text.hasPrefix("candidate:") else { return text }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let kept = lines.filter { line in !secretLines.contains { line.hasPrefix($0) } }
        let separator = text.contains("\r\n") ? "\r\n" : "\n"
        return kept.map { redactLine($0, by: policy) }.joined(separator: separator)
    }

    private static func redactLine(_ line: Substring, by policy: AddressPolicy) -> String {
        guard addressLines.contains(where: { line.hasPrefix($0) }) else { return String(line) }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let cut = words.enumerated().map { index, word in
            // The fragment of a candidate is named by the word before it.
            index > 0 && words[index - 1] == "ufrag" ? "-" : NetworkAddress.keepIfAddress(word, by: policy)
        }
        return cut.joined(separator: " ")
    }
}
