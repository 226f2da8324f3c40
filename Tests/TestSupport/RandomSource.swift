/// A small seeded generator (SplitMix64): a failing property test names its seed and can be run again.
public struct RandomSource: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// Makes values up, the same ones for the same seed.
public protocol RandomMaker {
    /// What chance takes from.
    var random: RandomSource { get set }
}

extension RandomMaker {
    /// Heads or tails.
    public mutating func flip() -> Bool {
        .random(using: &random)
    }

    /// One of `values`, which are some.
    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// Nothing, half of the time.
    public mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        flip() ? make(&self) : nil
    }
}
