/// Why a packet has no RTP header that could be read.
public enum RTPHeaderError: Error, Hashable, Sendable {
    /// A part of the header, in the order in which they lie in the packet.
    public enum Part: String, Hashable, Sendable {
        /// The twelve bytes that every RTP packet has.
        case fixedHeader = "fixed header"
        /// The CSRC list: 4 bytes for each source that a mixer put together.
        case contributingSources = "list of contributing sources"
        /// The header extension of RFC 3550, section 5.3.1: 4 bytes and as many words as they announce.
        case headerExtension = "header extension"
    }

    /// The two bits of the version are not 2.
    case unsupportedVersion(UInt8)
    /// The packet ends before `part` does, which would need `needed` bytes from the start; there are `found`.
    case truncated(Part, needed: Int, found: Int)
}

extension RTPHeaderError: CustomStringConvertible {
    /// What was wrong, where, and what was expected.
    public var description: String {
        switch self {
        case .unsupportedVersion(let version):
            "RTP version \(version) at byte 0, expected 2; probably not RTP (DTLS, STUN and ZRTP share its ports)"
        case .truncated(let part, let needed, let found):
            "the RTP packet ends at byte \(found), inside its \(part.rawValue), which needs \(needed) bytes"
        }
    }
}
