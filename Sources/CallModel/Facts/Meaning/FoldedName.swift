/// A name as it compares: lower case letters and digits, without what some SDKs put before or behind it.
///
/// `ACBClientCallStatusMediaPending`, `MEDIA_PENDING` and `.mediaPending` are one name, and so are
/// `didSendStartCall:withMessage:` and `didSendStartCall`, `Call.onRinging` and `onRinging`.
struct FoldedName: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String

    init(_ name: String) {
        let words = name.split { ":().".contains($0) }.drop { Self.owners.contains($0.lowercased()) || $0 == "_" }
        text = Self.letters(words.first.map(String.init) ?? name)
    }

    /// What a callback may have before its own name: `call:didChangeStatus:`, `call(_:didChange:)`, `Call.onRinging`.
    private static let owners: Set<String> = ["call", "phone", "uc"]

    /// For tables: the name is folded already.
    init(stringLiteral value: String) {
        text = value
    }

    private init(folded text: String) {
        self.text = text
    }

    /// The name of a call state, without what stands before it in its SDK.
    var state: FoldedName {
        guard let prefix = Self.statePrefixes.first(where: { text.hasPrefix($0) && text != $0 }) else { return self }
        return FoldedName(folded: String(text.dropFirst(prefix.count)))
    }

    /// The name without an ending.
    func dropping(_ ending: String) -> FoldedName? {
        guard text.hasSuffix(ending), text != ending else { return nil }
        return FoldedName(folded: String(text.dropLast(ending.count)))
    }

    /// Longer ones first. The second is a spelling mistake of its document.
    private static let statePrefixes = [
        "acbclientcallstatus", "acbcclientcallstatus", "acbcallstatus", "callstates", "callstatus",
        "linphonecallstate", "linphonecall",
    ]

    /// All letters and digits of a name, in lower case.
    static func letters(_ name: String) -> String {
        let kept = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: nil
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
