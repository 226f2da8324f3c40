/// Where an RTCP datagram stopped making sense. What was read before it counts.
public struct RTCPError: Error, Hashable, Sendable {
    /// A part of an RTCP packet.
    public enum Part: String, Hashable, Sendable {
        /// The SSRC of who sent the packet.
        case sender = "sender's SSRC"
        /// The 20 bytes of a sender report that tell what was sent.
        case senderInformation = "sender information"
        /// One of the 24-byte blocks that tell what was received.
        case reportBlock = "report block"
        /// The SSRC of a chunk of a source description.
        case chunk = "source description chunk"
        /// An item of a chunk: type, length, text.
        case item = "source description item"
        /// A list of SSRCs.
        case sources = "list of sources"
        /// Why somebody said goodbye.
        case reason = "reason for leaving"
        /// The four letters that name an application.
        case name = "application's name"
        /// The four bytes in front of a block of an extended report.
        case blockHeader = "header of a report block"
        /// What follows them.
        case block = "extended report block"
        /// The SSRC of the media that a feedback message is about.
        case mediaSource = "SSRC of the media"
        /// What a feedback message says about it.
        case feedback = "feedback control information"
    }

    /// What was wrong. All counts are of bytes.
    public enum Problem: Hashable, Sendable {
        /// Fewer than the four bytes of a packet's header were left.
        case incompleteHeader(found: Int)
        /// The two bits of the version are not 2.
        case unsupportedVersion(UInt8)
        /// A packet type outside of 192...223 (RFC 5761, section 4): ciphertext, or something else behind the RTCP.
        case foreignPacketType(UInt8)
        /// The packet says it is longer than what is left of the datagram.
        case tooLong(announced: Int, available: Int)
        /// The padding is said to be longer than what the packet holds, or of no length.
        case impossiblePadding(announced: Int, available: Int)
        /// The packet is too short for a part that it should hold, counting from the packet's first byte.
        case missing(Part, needed: Int, found: Int)
        /// The capture kept only the first `captured` bytes of the packet.
        case notCaptured(length: Int, captured: Int)
    }

    /// What was found and what was expected.
    public var problem: Problem
    /// Where the RTCP packet in question begins, in bytes from the start of the datagram.
    public var offset: Int

    /// An error of the RTCP packet that begins at `offset`.
    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension RTCPError: CustomStringConvertible {
    /// What was wrong, where, and what was expected.
    public var description: String {
        "RTCP packet at byte \(offset): \(words)"
    }

    private var words: String {
        switch problem {
        case .incompleteHeader(let found):
            "\(found) bytes left, expected at least the 4 of a packet header"
        case .unsupportedVersion(let version):
            "version \(version), expected 2; the datagram may be encrypted (SRTCP)"
        case .foreignPacketType(let type):
            "packet type \(type), expected 192 to 223; the datagram may be encrypted (SRTCP)"
        case .tooLong(let announced, let available):
            "says it is \(announced) bytes long, expected at most the \(available) that the datagram has left"
        case .impossiblePadding(let announced, let available):
            "says it ends in \(announced) bytes of padding, expected 1 to \(available)"
        case .missing(let part, let needed, let found):
            "ends after \(found) bytes, inside its \(part.rawValue), expected \(needed)"
        case .notCaptured(let length, let captured):
            "only \(captured) of its \(length) bytes were captured"
        }
    }
}
