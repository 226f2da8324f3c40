extension SessionDescription {
    /// Reads a session description from a packet.
    /// - Throws: ``SessionDescriptionError`` when it does not begin as one.
    init(parsing packet: RawSpan) throws(SessionDescriptionError) {
        try self.init(parsing: packet.copy(0..<min(packet.byteCount, SIPMessage.maximumBytes)))
    }

    /// Reads a session description.
    ///
    /// Lenient: lines may end in LF alone; a line that cannot be read is counted and left out.
    /// - Throws: ``SessionDescriptionError`` when it does not begin as one.
    init(parsing bytes: [UInt8]) throws(SessionDescriptionError) {
        var rest = bytes.prefix(SIPMessage.maximumBytes)
        let first = SIPFields.nextLine(&rest).trimmed
        guard first.hasCaselessPrefix("v=0") else { throw .noVersion(found: first.text(limit: 32)) }
        var reader = SessionReader()
        while !rest.isEmpty {
            let line = SIPFields.nextLine(&rest).trimmed
            if !line.isEmpty, !reader.take(line) { reader.result.unreadableLines += 1 }
        }
        self = reader.finished()
    }
}

/// Reads a session description line by line: what is said before the first `m=` line holds for all of them.
private struct SessionReader {
    var result = SessionDescription(origin: nil, media: [], bundles: [], unreadableLines: 0)
    private var common = MediaAttributes()
    private var current: MediaReader?

    private static let bundle = Array("group:bundle".utf8)
    private let equals = UInt8(ascii: "=")
    /// More media than this is not kept.
    private static let maximumMedia = 64

    /// Takes a line.
    /// - Returns: Whether it could be read; what says nothing about the media counts as read.
    mutating func take(_ line: Bytes) -> Bool {
        guard line.count >= 2, let letter = line.first, letter != equals, line[line.startIndex + 1] == equals else {
            return false
        }
        let value = line.dropFirst(2)
        switch letter {
        case UInt8(ascii: "m"): return begin(value)
        case UInt8(ascii: "c"): return takeConnection(value)
        case UInt8(ascii: "o"): return takeOrigin(value)
        case UInt8(ascii: "a"): return takeAttribute(value)
        default: return true
        }
    }

    mutating func finished() -> SessionDescription {
        close()
        return result
    }

    private mutating func close() {
        guard let reader = current, result.media.count < Self.maximumMedia else { return }
        result.media.append(reader.finished())
        current = nil
    }

    private mutating func begin(_ value: Bytes) -> Bool {
        close()
        current = MediaReader(value, common: common)
        return current != nil
    }

    private mutating func takeConnection(_ value: Bytes) -> Bool {
        var rest = value
        guard rest.nextWord()?.isCaseless("IN") == true, rest.nextWord() != nil, let word = rest.nextWord() else {
            return false
        }
        let address = IPAddress(text: word)
        if current == nil { common.address = address } else { current?.attributes.address = address }
        return true
    }

    private mutating func takeOrigin(_ value: Bytes) -> Bool {
        var rest = value
        guard rest.nextWord() != nil, let session = rest.nextWord(), let version = rest.nextWord(),
            rest.nextWord() != nil, rest.nextWord() != nil, let address = rest.nextWord(), result.origin == nil
        else { return false }
        result.origin = SessionDescription.Origin(
            session: session.text(limit: 64), version: version.text(limit: 64), address: address.text(limit: 64))
        return true
    }

    private mutating func takeAttribute(_ value: Bytes) -> Bool {
        if value.hasCaseless(Self.bundle, at: value.startIndex) {
            result.bundles.append(value.words.dropFirst().prefix(64).map { $0.text(limit: 64) })
            return true
        }
        return current?.take(value) ?? common.take(value)
    }
}
