import RTPMeter

/// Some of the 128 payload types; asking for one costs the same however many there are.
struct PayloadTypeSet: Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// What is comfort noise without any signalling.
    static let staticComfortNoise = PayloadTypeSet((0..<96).filter(StaticPayloadType.isComfortNoise))

    init(_ types: some Sequence<UInt8> = []) {
        for type in types { insert(type) }
    }

    var isEmpty: Bool { low | high == 0 }

    @inline(__always)
    func contains(_ type: UInt8) -> Bool {
        (type < 64 ? low : high) >> UInt64(type & 63) & 1 != 0
    }

    mutating func insert(_ type: UInt8) {
        let bit: UInt64 = 1 << UInt64(type & 63)
        if type < 64 { low |= bit } else { high |= bit }
    }

    func union(_ other: Self) -> Self {
        var both = self
        both.low |= other.low
        both.high |= other.high
        return both
    }
}
