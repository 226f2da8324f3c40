/// What is kept of a message's body: a session description, its secrets taken out.
struct SIPBody {
    /// Without keys and passwords; empty when the body holds no session description.
    private(set) var description: [UInt8] = []
    /// Whether the body holds dialled digits, which are not kept.
    private(set) var carriesDigits = false

    /// The media type of session descriptions.
    static let descriptionType = "application/sdp"
    private static let descriptionLetters = Array(descriptionType.utf8)
    private static let version = Array("v=0".utf8)
    /// The media type of candidates that follow a description ([RFC 8840 §9](https://www.rfc-editor.org/rfc/rfc8840#section-9)):
    /// lines of one, without its first.
    static let fragmentType = "application/trickle-ice-sdpfrag"
    /// A multipart body inside a multipart body inside ... is read so deep.
    private static let maximumDepth = 3

    init(_ bytes: Bytes, type: Bytes?, isEncoded: Bool) {
        guard !isEncoded else { return }
        read(bytes, type: type, depth: 0)
    }

    private mutating func read(_ bytes: Bytes, type: Bytes?, depth: Int) {
        let name = Self.mediaType(type ?? [])
        if Self.isDescription(name) || (type == nil && bytes.hasCaseless(Self.version, at: bytes.startIndex)) {
            if description.isEmpty { description = Self.withoutSecrets(bytes) }
        } else if depth == 0, name.isCaseless(Self.fragmentType) {
            if description.isEmpty { description = Self.version + Array("\r\n".utf8) + Self.withoutSecrets(bytes) }
        } else if name.hasCaselessPrefix("multipart/"), depth < Self.maximumDepth {
            guard let boundary = type.flatMap({ SIPParameters.ofFirst(SIPParameters.boundary, in: $0) }) else { return }
            readParts(bytes, boundary: boundary.utf8.filter { $0 != UInt8(ascii: "\"") }, depth: depth)
        } else if Self.isDigits(name) {
            carriesDigits = true
        }
    }

    /// The media type without its parameters.
    static func mediaType(_ value: Bytes) -> Bytes {
        value.prefix { $0 != UInt8(ascii: ";") }.trimmed
    }

    /// Whether a media type, without its parameters, is that of session descriptions.
    static func isDescription(_ type: Bytes) -> Bool {
        type.count == descriptionLetters.count && type.hasCaseless(descriptionLetters, at: type.startIndex)
    }

    private static func isDigits(_ type: Bytes) -> Bool {
        type.isCaseless("application/dtmf-relay") || type.isCaseless("application/dtmf")
            || type.isCaseless("audio/telephone-event") || type.isCaseless("application/vnd.nortelnetworks.digits")
    }

    /// Reads the parts between the boundaries ([RFC 2046 §5.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1)).
    private mutating func readParts(_ bytes: Bytes, boundary: [UInt8], depth: Int) {
        guard !boundary.isEmpty else { return }
        let mark = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
        var rest = bytes
        var start: Int?
        while !rest.isEmpty {
            let lineStart = rest.startIndex
            let line = SIPFields.nextLine(&rest)
            guard line.starts(with: mark) else { continue }
            if let start { readPart(bytes[start..<lineStart], depth: depth) }
            start = rest.startIndex
        }
        if let start { readPart(bytes[start...], depth: depth) }  // a body that was cut has no last boundary
    }

    private mutating func readPart(_ part: Bytes, depth: Int) {
        let fields = SIPFields(part)
        guard fields[.contentEncoding] == nil else { return }
        read(fields.body, type: fields[.contentType], depth: depth + 1)
    }

    /// A copy in which no key and no password is left. That there was one stays visible.
    ///
    /// Only lines of the form `x=…` are copied, for whatever else a sender wrote may be the rest of a secret, and of
    /// those none that names people: user name, session name, mail address, telephone number.
    static func withoutSecrets(_ bytes: Bytes) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var next = bytes.startIndex
        while next < bytes.endIndex {
            let line = bytes[bytes.line(from: &next)]
            guard line.count >= 2, line[line.startIndex + 1] == UInt8(ascii: "=") else { continue }
            copy(line, to: &kept)
        }
        return kept
    }

    private static func copy(_ line: Bytes, to kept: inout [UInt8]) {
        let letter = line[line.startIndex].lowercased
        switch Secret(in: line) {
        case .key: kept.append(contentsOf: "a=crypto:-".utf8)
        case .fingerprint: kept.append(contentsOf: "a=fingerprint:-".utf8)
        case _ where letter == UInt8(ascii: "o"):
            guard let (_, rest) = line.cut(at: 0x20) else { return }
            kept.append(contentsOf: "o=- ".utf8)
            kept.append(contentsOf: rest)
        case nil where isKept(letter): kept.append(contentsOf: line)
        default: return
        }
        kept.append(0x0D)
        kept.append(0x0A)
    }

    private static func isKept(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "v"), UInt8(ascii: "t"), UInt8(ascii: "c"), UInt8(ascii: "b"), UInt8(ascii: "m"),
            UInt8(ascii: "a"):
            true
        default: false
        }
    }

    /// What must not be kept of a line.
    private enum Secret {
        case password, fingerprint, key

        /// Finds the gravest by its word, wherever in the line that stands.
        init?(in line: Bytes) {
            var found: Secret?
            let bytes = line.span
            for offset in 1..<max(1, bytes.count) where Self.mayBegin(bytes[offset - 1], bytes[offset]) {
                switch Self.word(of: line, at: line.startIndex + offset - 1) {
                case .key:
                    self = .key
                    return
                case .fingerprint: found = .fingerprint
                case .password: found = found ?? .password
                case nil: break
                }
            }
            guard let found else { return nil }
            self = found
        }

        private static let crypto = Array("crypto".utf8)
        private static let inlineKey = Array("inline:".utf8)
        private static let icePassword = Array("ice-pwd".utf8)
        private static let keyManagement = Array("key-mgmt".utf8)
        private static let certificate = Array("fingerprint".utf8)
        private static let anyPassword = Array("password".utf8)

        /// Two letters spare nearly all places the comparison.
        private static func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
            switch (first | 0x20, second | 0x20) {
            case (UInt8(ascii: "c"), UInt8(ascii: "r")), (UInt8(ascii: "f"), UInt8(ascii: "i")),
                (UInt8(ascii: "i"), UInt8(ascii: "c")), (UInt8(ascii: "i"), UInt8(ascii: "n")),
                (UInt8(ascii: "k"), UInt8(ascii: "e")), (UInt8(ascii: "p"), UInt8(ascii: "a")):
                true
            default: false
            }
        }

        private static func word(of line: Bytes, at place: Int) -> Secret? {
            switch line[place].lowercased {
            case UInt8(ascii: "c"): line.hasCaseless(crypto, at: place) ? .key : nil
            case UInt8(ascii: "f"): line.hasCaseless(certificate, at: place) ? .fingerprint : nil
            case UInt8(ascii: "i"):
                line.hasCaseless(inlineKey, at: place)
                    ? .key : line.hasCaseless(icePassword, at: place) ? .password : nil
            case UInt8(ascii: "k"): line.hasCaseless(keyManagement, at: place) ? .password : nil
            case UInt8(ascii: "p"): line.hasCaseless(anyPassword, at: place) ? .password : nil
            default: nil
            }
        }
    }
}
