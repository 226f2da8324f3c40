import CallModel

/// Where the delay between two mouths and ears comes from, in ms.
struct OneWayDelay: Hashable {
    /// Half the round trip; `nil` when none was measured.
    var network: Double?
    var jitterBuffer: Double
    /// One packet of audio and the codec's look-ahead.
    var codec: Double

    /// A jitter buffer up to this depth is part of any call.
    static let ordinaryBufferMilliseconds = 40.0

    var total: Double { (network ?? 0) + jitterBuffer + codec }

    /// The share of quality that is left, and how the loss is dealt between path and buffer.
    func apply(to factors: inout ImpairmentFactors) {
        let all = DelayImpairment.points(oneWayMilliseconds: total)
        let excess = max(0, jitterBuffer - Self.ordinaryBufferMilliseconds)
        let withoutExcess = DelayImpairment.points(oneWayMilliseconds: total - excess)
        factors.multiply(1 - all / 100, causes: [.delay: withoutExcess, .jitterBuffer: all - withoutExcess])
    }
}
