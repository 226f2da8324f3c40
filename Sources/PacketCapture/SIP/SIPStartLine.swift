/// The first line of a SIP message ([RFC 3261 §7.1, §7.2](https://www.rfc-editor.org/rfc/rfc3261#section-7.1)).
enum SIPStartLine {
    /// Longer first lines are no SIP.
    static let maximumBytes = 8192

    /// Reads a line; `nil` when it is none of SIP.
    static func read(_ line: Bytes) -> SIPMessage.Kind? {
        guard line.count <= maximumBytes else { return nil }
        return line.hasCaselessPrefix("SIP/2.0 ") ? response(line.dropFirst(8)) : request(line)
    }

    private static func response(_ rest: Bytes) -> SIPMessage.Kind? {
        let rest = rest.trimmed
        guard let status = rest.prefix(3).decimal, (100...699).contains(status) else { return nil }
        let phrase = rest.dropFirst(3)
        guard phrase.first.map(\.isBlank) ?? true else { return nil }
        return .response(status: status, reason: phrase.trimmed.text(limit: 128))
    }

    /// A request line begins with its method at once, and a space ends that: so ``mayBegin(_:)`` can tell early.
    private static func request(_ line: Bytes) -> SIPMessage.Kind? {
        let line = line.withoutBlankEnd
        guard let blank = line.firstIndex(of: 0x20), let last = line.lastIndex(where: \.isBlank), blank < last,
            line[(last + 1)...].isCaseless("SIP/2.0")
        else { return nil }
        let method = line[..<blank]
        guard (1...32).contains(method.count), method.allSatisfy(\.isToken) else { return nil }
        return .request(method: method.text())
    }

    /// Whether a line that is not complete yet may still become one; a complete one is for ``read(_:)``.
    static func mayBegin(_ bytes: Bytes) -> Bool {
        guard bytes.count <= maximumBytes else { return false }
        if zip(bytes, "SIP/2.0 ".utf8).allSatisfy({ $0.lowercased == $1.lowercased }) { return true }
        let method = bytes.prefix { $0.isToken }
        guard (1...32).contains(method.count) else { return false }
        return method.count == bytes.count || bytes[method.endIndex] == 0x20
    }
}

extension SIPMessage {
    /// Whether a packet begins like a SIP message: four bytes decide. Cheap enough to be asked of every packet.
    ///
    /// Knows the methods of the [registry](https://www.iana.org/assignments/sip-parameters); a message of another
    /// method says nothing about a call.
    static func isLikely(_ packet: RawSpan) -> Bool {
        guard packet.byteCount >= 16 else { return false }
        return switch packet.networkOrder(at: 0, as: UInt32.self) {
        case 0x5349_502F, 0x7369_702F: true  // SIP/ in either case (RFC 3261 §7.1)
        case 0x494E_5649, 0x4143_4B20, 0x4259_4520, 0x4341_4E43: true  // INVI ACK_ BYE_ CANC
        case 0x5052_4143, 0x5550_4441, 0x494E_464F, 0x5245_4645: true  // PRAC UPDA INFO REFE
        case 0x4F50_5449, 0x5245_4749, 0x5355_4253, 0x4E4F_5449: true  // OPTI REGI SUBS NOTI
        case 0x4D45_5353, 0x5055_424C: true  // MESS PUBL
        default: false
        }
    }
}
