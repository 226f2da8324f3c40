import CallModel
import Foundation

/// What mouth-to-ear delay costs: Idd of ITU-T G.107 (06/2015) §7.4 with the default delay class.
enum DelayImpairment {
    /// mT: the least delay that is perceived, in ms.
    static let leastPerceivedMilliseconds = 100.0
    /// sT: delay sensitivity of the listener.
    static let sensitivity = 1.0

    /// Points of R lost, 0...50, for a one-way delay Ta in ms. Grows with Ta; 0 up to mT.
    static func points(oneWayMilliseconds delay: Double) -> Double {
        guard delay > leastPerceivedMilliseconds else { return 0 }
        let x = log2(delay / leastPerceivedMilliseconds)
        let exponent = 6 * sensitivity
        func root(_ value: Double) -> Double { pow(1 + pow(value, exponent), 1 / exponent) }
        return min(50, max(0, 25 * (root(x) - 3 * root(x / 3) + 2)))
    }
}

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
