/// How many times so many packets in a row were lost.
public struct LossRuns: Hashable, Sendable {
    // Ten numbers in place, because an array would be a separate allocation for every stream.
    private var low: SIMD8<UInt32> = .zero
    private var nine: UInt32 = 0
    private var more: UInt32 = 0
    private var longestRun: UInt32 = 0

    /// No loss.
    public init() {}

    /// Lengths that have a count of their own; the last one stands for itself and everything longer.
    public static let lengths = 1...10

    /// How many runs of exactly `length` packets there were; for 10, of 10 and more. 0 outside of ``lengths``.
    public subscript(length: Int) -> Int {
        switch length {
        case 1...8: Int(low[length - 1])
        case 9: Int(nine)
        case 10: Int(more)
        default: 0
        }
    }

    /// All runs, whatever their length.
    public var count: Int {
        Self.lengths.reduce(0) { $0 + self[$1] }
    }

    /// The longest run, in packets; 0 without loss.
    public var longest: Int { Int(longestRun) }

    mutating func note(length: UInt32) {
        longestRun = max(longestRun, length)
        switch length {
        case 0: break
        case 1...8: low[Int(length) - 1] &+= 1
        case 9: nine &+= 1
        default: more &+= 1
        }
    }
}
