import RTPMeter

/// Times the checks of ICE that pass by, without a part in the call: they go the way of the media, also where RTCP cannot be read.
///
/// A check passes at t₁, its answer at t₂, and it is answered at once: from here to who answers and back it took t₂ − t₁. The
/// transaction tells which answer is whose ([RFC 8489 §6](https://www.rfc-editor.org/rfc/rfc8489#section-6)). Both ends check
/// before a call ([RFC 8445 §7](https://www.rfc-editor.org/rfc/rfc8445#section-7)) and all through it
/// ([RFC 7675 §5.1](https://www.rfc-editor.org/rfc/rfc7675#section-5.1)).
struct ConnectivityChecks {
    /// A check that was answered.
    struct Answered: Equatable {
        /// The way of the check: to who answered it.
        var flow: Flow
        /// From here to who answered it and back.
        var seconds: Double
    }

    private struct Transaction: Hashable {
        var flow: Flow
        var high: UInt32
        var low: UInt64
    }

    /// When each was asked; `nil` of one that was asked again, of which nobody knows which one is answered.
    private var recent: [Transaction: ArrivalTime?] = [:]
    /// Those of the time before.
    private var earlier: [Transaction: ArrivalTime?] = [:]
    private var recentSince: ArrivalTime?

    /// So many wait for an answer at most; of more, the oldest half is let go of.
    private static let most = 8_192
    /// The same again within this time is a copy (mirror ports, the device `any`); in seconds.
    private static let copySeconds = 0.005

    /// Takes a message of STUN.
    /// - Returns: the check that it answers; `nil` where it answers none whose time is known.
    mutating func take(_ message: RawSpan, flow: Flow, at time: ArrivalTime) -> Answered? {
        guard message.byteCount >= Self.headerBytes else { return nil }
        let type: UInt16 = message.networkOrder(at: 0)
        let (high, low): (UInt32, UInt64) = (message.networkOrder(at: 8), message.networkOrder(at: 12))
        switch type {
        case Self.request where Self.isCheck(message):
            note(Transaction(flow: flow, high: high, low: low), at: time)
            return nil
        case Self.success: return answered(Transaction(flow: flow.reversed, high: high, low: low), at: time)
        default: return nil
        }
    }

    private mutating func note(_ transaction: Transaction, at time: ArrivalTime) {
        let isOld = recentSince.map { time.seconds(since: $0) > RoundTripEstimator.longest } ?? true
        if isOld || recent.count >= Self.most / 2 { (earlier, recent, recentSince) = (recent, [:], time) }
        guard let before = recent[transaction] ?? earlier[transaction] else {
            recent[transaction] = time
            return
        }
        let isCopy = before.map { abs(time.seconds(since: $0)) < Self.copySeconds } ?? false
        if !isCopy { recent[transaction] = .some(nil) }
    }

    private mutating func answered(_ transaction: Transaction, at time: ArrivalTime) -> Answered? {
        let asked = recent.removeValue(forKey: transaction)
        let askedBefore = earlier.removeValue(forKey: transaction)
        guard let first = asked ?? askedBefore, let first else { return nil }
        let seconds = time.seconds(since: first)
        guard seconds >= 0, seconds <= RoundTripEstimator.longest else { return nil }
        return Answered(flow: transaction.flow, seconds: seconds)
    }

    // MARK: Messages

    private static let headerBytes = 20
    /// Binding, as a request and as a success ([RFC 8489 §5](https://www.rfc-editor.org/rfc/rfc8489#section-5)).
    private static let (request, success): (UInt16, UInt16) = (0x0001, 0x0101)
    /// Who checks a peer names whom; who asks a server for its own address does not
    /// ([RFC 8445 §7.2.2](https://www.rfc-editor.org/rfc/rfc8445#section-7.2.2)).
    private static let username: UInt16 = 0x0006
    private static let (integrity, software): (UInt16, UInt16) = (0x0008, 0x8022)
    /// libwebrtc tells of its network (GOOG-NETWORK-INFO of IANA's list of attributes).
    private static let networkInformation: UInt16 = 0xC057

    private static func isCheck(_ message: RawSpan) -> Bool { attribute(username, of: message) != nil }

    /// Whether a message is a check by Firefox: its user fragment has eight hexadecimal digits, as no other browser's, and it
    /// tells neither of its network, as libwebrtc does, nor its name, as PJSIP, whose fragments look alike. That is not known of
    /// a message that was cut before its MESSAGE-INTEGRITY, behind which nothing of the kind may stand
    /// ([RFC 8489 §14.5](https://www.rfc-editor.org/rfc/rfc8489#section-14.5)).
    static func isOfFirefox(_ message: RawSpan) -> Bool {
        guard message.byteCount >= headerBytes, message.networkOrder(at: 0) == request,
            attribute(integrity, of: message) != nil, let name = attribute(username, of: message),
            name.count > fragmentDigits, name.upperBound <= message.byteCount, attribute(software, of: message) == nil,
            attribute(networkInformation, of: message) == nil
        else { return false }
        // The name is the peer's fragment, a colon, and the own one.
        let own = name.upperBound - fragmentDigits
        return message.networkOrder(at: own - 1) == UInt8(ascii: ":")
            && (own..<name.upperBound).allSatisfy { isDigit(message.networkOrder(at: $0)) }
    }

    private static let fragmentDigits = 8

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Where the value of the first attribute of this type lies, by its length; `nil` without one.
    private static func attribute(_ type: UInt16, of message: RawSpan) -> Range<Int>? {
        var next = headerBytes
        while next + 4 <= message.byteCount {
            let length = Int(message.networkOrder(at: next + 2, as: UInt16.self))
            if message.networkOrder(at: next) == type { return next + 4..<next + 4 + length }
            next += 4 + (length + 3) / 4 * 4
        }
        return nil
    }
}
