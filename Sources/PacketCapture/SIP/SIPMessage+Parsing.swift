extension SIPMessage {
    /// Reads a message from a packet.
    ///
    /// Lenient where real clients are: lines may end in LF alone, fields be folded or in their one-letter form, Via,
    /// From and To be missing, and the body be shorter than announced, for captures cut packets.
    /// - Parameters:
    ///   - packet: The payload of a datagram, as far as it was captured.
    ///   - wireLength: How long it was; `nil` where all of it is there.
    /// - Throws: ``SIPMessageError`` when the message does not say which call and transaction it is of.
    init(parsing packet: RawSpan, wireLength: Int? = nil) throws(SIPMessageError) {
        try self.init(parsing: packet.copy(0..<min(packet.byteCount, Self.maximumBytes)))
        if let wireLength, wireLength > packet.byteCount { isTruncated = true }
    }

    /// Reads a message from bytes that were put together: of a stream, or of fragments.
    /// - Parameter bytes: The message; more than ``maximumBytes`` are not read.
    /// - Throws: ``SIPMessageError`` when the message does not say which call and transaction it is of.
    init(parsing bytes: [UInt8]) throws(SIPMessageError) {
        var rest = bytes.prefix(Self.maximumBytes).drop { $0 == 0x0D || $0 == 0x0A }
        let line = SIPFields.nextLine(&rest)
        guard let kind = SIPStartLine.read(line) else { throw .notSIP(firstLine: line.text(limit: 32)) }
        let fields = SIPFields(rest)
        let (sequence, method) = try Self.sequence(fields)
        if case .request(let requested) = kind, requested != method {
            throw .contradiction(startLine: requested, sequence: method)
        }
        let announced = fields[.contentLength]?.decimal
        let content = fields.body.prefix(announced ?? .max)
        let type = fields[.contentType]
        let isEncoded = fields[.contentEncoding] != nil
        let body = SIPBody(content, type: type, isEncoded: isEncoded)
        let isDescription = type.map { SIPBody.isDescription(SIPBody.mediaType($0)) } ?? false

        self.init(
            kind: kind, callID: try Self.callID(fields), sequence: sequence, method: method,
            fromTag: fields[.from].flatMap { SIPParameters.ofAddress(SIPParameters.tag, in: $0) },
            toTag: fields[.to].flatMap { SIPParameters.ofAddress(SIPParameters.tag, in: $0) },
            topBranch: fields[.via].flatMap { SIPParameters.ofFirst(SIPParameters.branch, in: $0) },
            reliableSequence: fields[.reliableSequence]?.decimal.flatMap { UInt32(exactly: $0) },
            userToUser: fields[.userToUser]?.text(), aliases: SIPAliases.of(fields),
            userAgent: (fields[.userAgent] ?? fields[.server])?.text(limit: 128),
            reasonHeader: fields[.reason]?.text(limit: 128), replacedCall: Self.replacedCall(fields),
            contentType: type.map(Self.contentType), contentLength: announced, body: body.description,
            carriesDigits: body.carriesDigits, isTruncated: (announced ?? 0) > content.count,
            descriptionFault: isEncoded && isDescription && announced != 0 ? .encoded : nil)
    }

    private static func sequence(_ fields: SIPFields) throws(SIPMessageError) -> (UInt32, String) {
        guard let value = fields[.sequence] else { throw .missing(header: "CSeq") }
        var rest = value
        guard let number = rest.nextWord()?.decimal.flatMap({ UInt32(exactly: $0) }), let method = rest.nextWord(),
            method.count <= 32, method.allSatisfy({ $0.isToken }), rest.nextWord() == nil
        else { throw .malformed(header: "CSeq", value: value.text(limit: 64)) }
        return (number, method.text())
    }

    private static func contentType(_ value: Bytes) -> String {
        let type = SIPBody.mediaType(value)
        return SIPBody.isDescription(type) ? SIPBody.descriptionType : type.text(limit: 64).lowercased()
    }

    private static func callID(_ fields: SIPFields) throws(SIPMessageError) -> String {
        guard let value = fields[.callID] else { throw .missing(header: "Call-ID") }
        guard let name = value.callName else {
            throw .malformed(header: "Call-ID", value: value.text(limit: 64))
        }
        return name
    }

    /// The call that `Replaces` ([RFC 3891](https://www.rfc-editor.org/rfc/rfc3891)) or `Join` names.
    private static func replacedCall(_ fields: SIPFields) -> String? {
        guard let value = fields[.replaces] ?? fields[.join] else { return nil }
        return value.prefix { $0 != UInt8(ascii: ";") }.trimmed.callName
    }
}
