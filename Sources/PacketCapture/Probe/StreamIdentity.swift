import RTPMeter

/// What tells one RTP stream from another at a probe: behind a B2BUA the same SSRC flows on two paths.
struct StreamIdentity: Hashable, Sendable {
    var flow: Flow
    var ssrc: UInt32

    /// Spreads identities over a table; cheap, and mixed well enough for addresses and ports that count up.
    var mixed: UInt64 {
        let source = flow.source.address
        let destination = flow.destination.address
        var value = source.low ^ (destination.low &* 0x9e37_79b9_7f4a_7c15)
        value ^= (source.high &* 0xc2b2_ae3d_27d4_eb4f) ^ (destination.high &* 0x1656_67b1_9e37_79f9)
        value ^= UInt64(flow.source.port) << 48 ^ UInt64(flow.destination.port) << 32 ^ UInt64(ssrc)
        value = (value ^ value >> 32) &* 0xd6e8_feb8_6659_fd93
        return value ^ value >> 32
    }
}
