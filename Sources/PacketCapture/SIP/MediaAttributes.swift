/// The attributes (`a=`) that may stand before the first `m=` line and then hold for every one.
struct MediaAttributes {
    var address: IPAddress?
    var direction: SessionDescription.Direction?
    var packetMilliseconds: Int?
    var maximumPacketMilliseconds: Int?
    var hasKeys = false
    var isSilenceSuppressed = false
    var sources: [UInt32] = []
    var candidates: [Endpoint] = []
    var identifier: String?
    var isBundleOnly = false

    /// More sources or candidates than this are not kept.
    private static let maximumEntries = 64

    /// Takes an attribute, `name` or `name:value`.
    /// - Returns: Whether its value could be read; an attribute that says nothing here counts as read.
    mutating func take(_ attribute: Bytes) -> Bool {
        guard let (name, value) = attribute.cut(at: UInt8(ascii: ":")) else { return takeFlag(attribute.trimmed) }
        switch Self.names[name.trimmed] {
        case .packetTime: return Self.take(value, into: &packetMilliseconds)
        case .maximumPacketTime: return Self.take(value, into: &maximumPacketMilliseconds)
        case .key: hasKeys = true
        case .silence: isSilenceSuppressed = value.trimmed.hasCaselessPrefix("on")
        case .source: return takeSource(value)
        case .candidate: return takeCandidate(value)
        case .identifier: identifier = value.trimmed.text(limit: 64)
        case nil: break
        }
        return true
    }

    /// The attributes with a value that say something here.
    private enum Name: Sendable {
        case candidate, identifier, key, maximumPacketTime, packetTime, silence, source
    }

    private static let names = NameTable<Name>([
        ("candidate", .candidate), ("crypto", .key), ("fingerprint", .key), ("key-mgmt", .key),
        ("maxptime", .maximumPacketTime), ("mid", .identifier), ("ptime", .packetTime),
        ("silencesupp", .silence), ("ssrc", .source), ("zrtp-hash", .key),
    ])
    private static let directions = NameTable<SessionDescription.Direction>(
        SessionDescription.Direction.allCases.map { ($0.rawValue, $0) })

    private mutating func takeFlag(_ name: Bytes) -> Bool {
        if let known = Self.directions[name] {
            direction = known
        } else if name.isCaseless("bundle-only") {
            isBundleOnly = true
        }
        return true
    }

    /// Milliseconds; some write `20.0`.
    private static func take(_ value: Bytes, into target: inout Int?) -> Bool {
        guard let milliseconds = value.trimmed.prefix(while: { $0 != UInt8(ascii: ".") }).decimal,
            (1...1000).contains(milliseconds)
        else { return false }
        target = milliseconds
        return true
    }

    private mutating func takeSource(_ value: Bytes) -> Bool {
        var rest = value
        guard let source = rest.nextWord()?.decimal.flatMap({ UInt32(exactly: $0) }) else { return false }
        if sources.last != source, sources.count < Self.maximumEntries, !sources.contains(source) {
            sources.append(source)
        }
        return true
    }

    /// `foundation component transport priority address port typ …`
    /// ([RFC 8839 §5.1](https://www.rfc-editor.org/rfc/rfc8839#section-5.1)). On their way to a relay and from it, packets
    /// have the related address of its candidate (`raddr`), by which the relay knows the end.
    private mutating func takeCandidate(_ value: Bytes) -> Bool {
        let words = value.words
        guard words.count >= 8, let port = Self.port(words[5]) else { return false }
        guard words[2].isCaseless("UDP") else { return true }
        noteCandidate(IPAddress(text: words[4]), port)
        guard words.count >= 12, words[7].isCaseless("relay"), words[8].isCaseless("raddr"),
            words[10].isCaseless("rport"), let related = IPAddress(text: words[9]), !related.isUnspecified,
            let relatedPort = Self.port(words[11])
        else { return true }
        noteCandidate(related, relatedPort)
        return true
    }

    private mutating func noteCandidate(_ address: IPAddress?, _ port: UInt16) {
        guard let address, candidates.count < Self.maximumEntries else { return }
        let candidate = Endpoint(address: address, port: port)
        if !candidates.contains(candidate) { candidates.append(candidate) }
    }

    private static func port(_ text: Bytes) -> UInt16? { text.decimal.flatMap { UInt16(exactly: $0) } }
}
