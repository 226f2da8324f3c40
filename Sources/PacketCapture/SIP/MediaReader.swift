/// Reads an `m=` line and the attributes after it.
struct MediaReader {
    var attributes: MediaAttributes
    private let kind: SessionDescription.Kind
    private let port: UInt16
    private let transport: String
    private let isSecure: Bool
    private var payloads: [SessionDescription.Payload] = []

    /// More formats than RTP has payload types are not kept.
    private static let maximumPayloads = 128
    private static let encodingMap = Array("rtpmap:".utf8)
    private static let formatParameters = Array("fmtp:".utf8)
    /// Ticks a second, whatever is written: some write the 16,000 samples that G.722 has
    /// ([RFC 3551 §4.5.2](https://www.rfc-editor.org/rfc/rfc3551#section-4.5.2)), or those that they give to Opus
    /// ([RFC 7587 §4.1](https://www.rfc-editor.org/rfc/rfc7587#section-4.1)).
    private static let fixedClocks = NameTable<UInt32>([("G722", 8_000), ("opus", 48_000)])

    /// Begins with the value of an `m=` line: `audio 49170 RTP/AVP 0 8 101`, the port also as `49170/2`
    /// ([RFC 8866 §5.14](https://www.rfc-editor.org/rfc/rfc8866#section-5.14)).
    /// - Returns: `nil` when the line cannot be read.
    init?(_ value: Bytes, common: MediaAttributes) {
        var rest = value
        guard let kind = rest.nextWord(), let ports = rest.nextWord(), let transport = rest.nextWord(),
            let port = ports.prefix(while: { $0 != UInt8(ascii: "/") }).decimal, let port = UInt16(exactly: port)
        else { return nil }
        self.kind = kind.isCaseless("audio") ? .audio : Self.kind(kind)
        self.port = port
        self.transport = transport.text(limit: 32).uppercased()
        isSecure = transport.containsCaseless("SAVP")
        attributes = common
        guard transport.containsCaseless("RTP/") else { return }
        takePayloads(rest)
    }

    private static func kind(_ word: Bytes) -> SessionDescription.Kind {
        SessionDescription.Kind(rawValue: word.text(limit: 32).lowercased()) ?? .other
    }

    private mutating func takePayloads(_ words: Bytes) {
        var rest = words
        var count = 0
        payloads.reserveCapacity(4)
        while count < Self.maximumPayloads, let word = rest.nextWord() {
            count += 1
            guard let number = word.decimal, number < 128 else { continue }
            payloads.append(SessionDescription.Payload(static: UInt8(number)))
        }
    }

    /// Takes an attribute, `name` or `name:value`.
    /// - Returns: Whether it could be read.
    mutating func take(_ attribute: Bytes) -> Bool {
        let start = attribute.startIndex
        if attribute.hasCaseless(Self.encodingMap, at: start) { return takeEncoding(attribute.dropFirst(7)) }
        if attribute.hasCaseless(Self.formatParameters, at: start) { return takeParameters(attribute.dropFirst(5)) }
        return attributes.take(attribute)
    }

    /// `111 opus/48000/2`. A map of a number that the `m=` line does not list says nothing.
    private mutating func takeEncoding(_ value: Bytes) -> Bool {
        let slash = UInt8(ascii: "/")
        var rest = value
        guard let number = rest.nextWord()?.decimal, var parts = rest.nextWord(),
            let name = parts.nextPart(before: slash),
            let rate = parts.nextPart(before: slash)?.decimal.flatMap({ UInt32(exactly: $0) })
        else { return false }
        let channels = parts.nextPart(before: slash)?.decimal
        for index in payloads.indices where payloads[index].number == number {
            payloads[index].encoding = name.text(limit: 64)
            payloads[index].clockRate = rate == 0 ? nil : Self.fixedClocks[name] ?? rate
            payloads[index].channels = channels
            payloads[index].role = .of(encoding: name)
        }
        return true
    }

    private mutating func takeParameters(_ value: Bytes) -> Bool {
        guard let (first, rest) = value.trimmed.cut(at: 0x20), let number = first.decimal else { return false }
        for index in payloads.indices where payloads[index].number == number {
            payloads[index].parameters = rest.trimmed.text()
        }
        return true
    }

    /// The finished line.
    consuming func finished() -> SessionDescription.Media {
        for index in payloads.indices { payloads[index].findPartner() }
        return SessionDescription.Media(
            kind: kind, port: port, transport: transport, address: attributes.address, payloads: payloads,
            packetMilliseconds: attributes.packetMilliseconds,
            maximumPacketMilliseconds: attributes.maximumPacketMilliseconds,
            direction: attributes.direction ?? .both, isEncrypted: attributes.hasKeys || isSecure,
            isDTXAllowed: attributes.isSilenceSuppressed || payloads.contains { $0.isDTXAllowed },
            sources: attributes.sources, candidates: attributes.candidates, identifier: attributes.identifier,
            isBundleOnly: attributes.isBundleOnly)
    }
}
