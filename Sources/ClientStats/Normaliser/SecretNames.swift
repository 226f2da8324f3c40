/// Names of what lets in and of people's devices, by how they end: `turnPassword`, `access_token`, `inputDeviceLabel`.
enum SecretNames {
    /// How far a value reaches that stands unquoted in a text behind such a name.
    enum Extent {
        case word
        /// Several words: what somebody calls a device.
        case phrase
        /// A field of a header.
        case line
    }

    private static let ends: [(String, Extent)] = {
        let words = [
            "password", "passwd", "pwd", "passphrase", "credential", "credentials", "ufrag", "usernamefragment",
            "username", "token", "apikey", "accesskey", "privatekey", "secretkey", "secret",
        ]
        let devices = ["device", "input", "output", "speaker", "microphone", "camera", "headset", "headphones"]
        let phrases = devices.flatMap { [$0 + "label", $0 + "name"] } + ["tracklabel"]
        return words.map { ($0, .word) } + phrases.map { ($0, .phrase) }
            + ["authorization", "cookie", "cookies"].map { ($0, .line) }
    }()

    /// How far the value of `name` reaches in a text; `nil` for names of other things.
    static func extent(of name: String) -> Extent? {
        guard mayName(name) else { return nil }
        let folded = Redaction.folded(name)
        return ends.first { folded.hasSuffix($0.0) }?.1
    }

    /// A first look: hardly any other name ends in the same three letters.
    static func mayName(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        let count = bytes.count
        guard count >= 3 else { return false }
        return mayEnd(in: letters(letters(Int(bytes[count - 3] & 31), then: bytes[count - 2]), then: bytes[count - 1]))
    }

    /// Whether a word that ends in these letters may be such a name, or one behind which a text has a secret.
    static func mayEnd(in letters: Int) -> Bool { lastLetters[letters & mask] }

    /// The letters looked at, with one more.
    static func letters(_ letters: Int, then byte: UInt8) -> Int { (letters << 5 | Int(byte & 31)) & mask }

    private static let mask = 0x7FFF

    private static let lastLetters: [Bool] = {
        var found = Array(repeating: false, count: 1 << 15)
        for word in ends.map(\.0) + SecretText.schemes + ["inline"] {
            found[word.utf8.suffix(3).reduce(0) { letters($0, then: $1) }] = true
        }
        return found
    }()
}
