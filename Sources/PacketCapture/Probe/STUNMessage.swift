import RTPMeter

/// What a message of STUN tells to somebody who listens: whether it is a check of ICE or an answer, and by whose program.
struct STUNMessage {
    /// What it is for ([RFC 8489 §5](https://www.rfc-editor.org/rfc/rfc8489#section-5)).
    enum Role {
        /// A Binding request by which one end checks the way to the other: it names its peer. Who asks a server for its own
        /// address does not ([RFC 8445 §7.2.2](https://www.rfc-editor.org/rfc/rfc8445#section-7.2.2)).
        case check
        /// The success that answers a Binding request.
        case success
    }

    /// What tells an answer's request, 96 bits ([RFC 8489 §5](https://www.rfc-editor.org/rfc/rfc8489#section-5)).
    struct TransactionID: Hashable {
        var high: UInt32
        var low: UInt64
    }

    let role: Role
    let transaction: TransactionID
    /// Whether this is a check by Firefox: its user fragment has eight hexadecimal digits, as no other browser's, and it
    /// tells neither of its network, as libwebrtc does, nor its name, as PJSIP, whose fragments look alike. That is not known of
    /// a message that was cut before its MESSAGE-INTEGRITY, behind which nothing of the kind may stand
    /// ([RFC 8489 §14.5](https://www.rfc-editor.org/rfc/rfc8489#section-14.5)).
    let isOfFirefox: Bool

    /// Reads a message; `nil` for one that is neither a check nor a success.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= Self.headerBytes else { return nil }
        transaction = TransactionID(high: bytes.networkOrder(at: 8), low: bytes.networkOrder(at: 12))
        switch bytes.networkOrder(at: 0, as: UInt16.self) {
        case Self.bindingSuccess:
            role = .success
            isOfFirefox = false
        case Self.bindingRequest:
            let attributes = Attributes(of: bytes)
            guard let username = attributes.username else { return nil }
            role = .check
            isOfFirefox =
                attributes.hasIntegrity && !attributes.isOfKnownProgram && Self.isFirefoxName(username, in: bytes)
        default: return nil
        }
    }

    fileprivate static let headerBytes = 20
    private static let (bindingRequest, bindingSuccess): (UInt16, UInt16) = (0x0001, 0x0101)
    private static let fragmentDigits = 8

    /// Whether a name is the peer's fragment, a colon, and one of eight hexadecimal digits.
    private static func isFirefoxName(_ name: Range<Int>, in bytes: RawSpan) -> Bool {
        let own = name.upperBound - fragmentDigits
        guard own > name.lowerBound, name.upperBound <= bytes.byteCount else { return false }
        return bytes.networkOrder(at: own - 1) == UInt8(ascii: ":")
            && (own..<name.upperBound).allSatisfy { isDigit(bytes.networkOrder(at: $0)) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// What the attributes of a request say of its sender ([RFC 8489 §14](https://www.rfc-editor.org/rfc/rfc8489#section-14)).
private struct Attributes {
    /// Where the value of the first USERNAME lies, by its length; it may have been cut off.
    private(set) var username: Range<Int>?
    /// Whether MESSAGE-INTEGRITY is there.
    private(set) var hasIntegrity = false
    /// Whether it names its program (SOFTWARE), or tells of its network as libwebrtc does (GOOG-NETWORK-INFO of IANA's list).
    private(set) var isOfKnownProgram = false

    init(of message: RawSpan) {
        var next = STUNMessage.headerBytes
        while next + 4 <= message.byteCount {
            let length = Int(message.networkOrder(at: next + 2, as: UInt16.self))
            switch message.networkOrder(at: next, as: UInt16.self) {
            case 0x0006: username = username ?? next + 4..<next + 4 + length
            case 0x0008: hasIntegrity = true
            case 0x8022, 0xC057: isOfKnownProgram = true
            default: break
            }
            next += 4 + (length + 3) / 4 * 4
        }
    }
}
