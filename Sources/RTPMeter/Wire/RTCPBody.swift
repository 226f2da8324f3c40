/// The bounds of one RTCP packet inside its datagram, and the first thing that did not fit them.
///
/// Readers of the packet ask ``has(_:upTo:)`` before every load; what they have read when the answer is no, counts.
struct RTCPBody {
    /// Where the packet begins.
    let offset: Int
    /// The five bits beside the version: a count of items, or a subtype.
    let count: Int
    /// 192...223, see ``RTCPPacket``.
    let type: UInt8
    /// Where the packet ends by its own length field, padding included.
    let declaredEnd: Int
    /// Where what can be read ends: padding taken off, and not beyond what was captured.
    var end: Int
    /// Whether the capture kept less than the packet has.
    let isCut: Bool
    /// The first part that did not fit.
    private(set) var error: RTCPError?

    /// Reads the header at `offset` (RFC 3550, section 6.4.1).
    init(_ packet: RawSpan, at offset: Int, wireLength: Int) throws(RTCPError) {
        let captured = min(packet.byteCount, wireLength)
        guard offset + 4 <= captured else {
            throw offset + 4 <= wireLength
                ? RTCPError(.notCaptured(length: wireLength - offset, captured: captured - offset), at: offset)
                : RTCPError(.incompleteHeader(found: wireLength - offset), at: offset)
        }
        let first: UInt8 = packet.networkOrder(at: offset)
        guard first >> 6 == 2 else { throw RTCPError(.unsupportedVersion(first >> 6), at: offset) }
        type = packet.networkOrder(at: offset + 1)
        guard 192...223 ~= type else { throw RTCPError(.foreignPacketType(type), at: offset) }
        let words: UInt16 = packet.networkOrder(at: offset + 2)
        let length = 4 + 4 * Int(words)
        guard length <= wireLength - offset else {
            throw RTCPError(.tooLong(announced: length, available: wireLength - offset), at: offset)
        }
        self.offset = offset
        count = Int(first & 0b0001_1111)
        declaredEnd = offset + length
        end = min(declaredEnd, captured)
        isCut = captured < declaredEnd
        if first & 0b0010_0000 != 0, !isCut {
            takeOffPadding(of: packet)
        }
    }

    /// The last byte counts the padding, itself included (RFC 3550, section 6.4.1, "padding").
    private mutating func takeOffPadding(of packet: RawSpan) {
        let padding = Int(packet.networkOrder(at: end - 1, as: UInt8.self))
        let available = end - offset - 4
        guard padding > 0, padding <= available else {
            error = RTCPError(.impossiblePadding(announced: padding, available: available), at: offset)
            return
        }
        end -= padding
    }

    /// Whether the packet reaches up to `needed`, counted like `offset`. The first no is kept as the error.
    mutating func has(_ part: RTCPError.Part, upTo needed: Int) -> Bool {
        if needed <= end { return true }
        note(isCut && needed <= declaredEnd ? cutProblem : missing(part, upTo: needed))
        return false
    }

    /// Keeps what was wrong with the packet, unless something was before.
    mutating func note(_ problem: RTCPError.Problem) {
        error = error ?? RTCPError(problem, at: offset)
    }

    /// What there is to say about a packet that was not captured whole.
    var cutProblem: RTCPError.Problem {
        .notCaptured(length: declaredEnd - offset, captured: end - offset)
    }

    private func missing(_ part: RTCPError.Part, upTo needed: Int) -> RTCPError.Problem {
        .missing(part, needed: needed - offset, found: (isCut ? declaredEnd : end) - offset)
    }
}

extension RawSpan {
    /// The text in `range`, which must lie in the span; bytes that are not UTF-8 become U+FFFD.
    func text(in range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for offset in range {
            bytes.append(networkOrder(at: offset))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The 32-bit words in `range`, which must lie in the span.
    func words(in range: Range<Int>) -> [UInt32] {
        stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).map { networkOrder(at: $0) }
    }
}
