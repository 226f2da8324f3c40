/// How often the transit time changed by much from one packet to the next.
public struct TransitSteps: Hashable, Sendable {
    /// The limits, in milliseconds: a change counts under the highest limit it reaches.
    public static let limitsMilliseconds = [50, 70, 90, 120, 150, 200, 300]

    private static var limits: SIMD8<Float> { SIMD8(0.050, 0.070, 0.090, 0.120, 0.150, 0.200, 0.300, .infinity) }
    private var atLeast: SIMD8<UInt32> = .zero

    /// No change.
    public init() {}

    /// How many changes reached `limitsMilliseconds[index]` and not the next limit; 0 for an index that there is not.
    public subscript(index: Int) -> Int {
        guard Self.limitsMilliseconds.indices.contains(index) else { return 0 }
        return Int(atLeast[index]) - Int(atLeast[index + 1])
    }

    /// All changes of 50 ms and more.
    public var count: Int { Int(atLeast[0]) }

    /// A change of transit time of at least 50 ms.
    mutating func note(seconds: Double) {
        let reached = Self.limits .<= SIMD8<Float>(repeating: Float(seconds))
        atLeast &+= SIMD8<UInt32>.zero.replacing(with: 1, where: reached)
    }
}
