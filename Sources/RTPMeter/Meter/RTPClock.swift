/// The rate at which a stream's RTP timestamps count, and how it is known.
public struct RTPClock: Hashable, Sendable {
    /// How a clock rate came to be known.
    public enum Source: UInt8, Hashable, Sendable {
        /// From signalling, such as `a=rtpmap` (RFC 8866, section 6.6).
        case signalled
        /// From the table of payload types in RFC 3551, section 6.
        case `static`
        /// From how fast the timestamps run, see ``ClockInference``.
        case inferred
    }

    /// Ticks per second: 8000 for PCMU and for G722, 48000 for Opus, 90000 for video. Never 0.
    public var hertz: UInt32
    /// How the rate is known.
    public var source: Source

    /// Ticks per second of every video format ([RFC 3551, section 5](https://www.rfc-editor.org/rfc/rfc3551#section-5)).
    static let pictures: UInt32 = 90_000

    /// A clock; nil for a rate that no RTP clock can have: 0, or above 2³⁰.
    public init?(hertz: UInt32, source: Source) {
        guard hertz > 0, hertz <= 1 << 30 else { return nil }
        self.hertz = hertz
        self.source = source
    }
}
