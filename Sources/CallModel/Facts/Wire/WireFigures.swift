/// The figures of one stream that are known.
///
/// One lane of a vector each: a probe fills them in for every stream every few seconds.
public struct WireFigures: Hashable, Sendable {
    /// 0 where unknown.
    private var values = SIMD64<Double>(repeating: 0)
    /// Bit n: the figure with the raw value n is known.
    private var known: UInt64 = 0

    public init() {}

    /// A figure; `nil` when it is not known.
    public subscript(figure: WireFigure) -> Double? {
        get { known & (1 << figure.rawValue) == 0 ? nil : values[figure.rawValue] }
        set {
            values[figure.rawValue] = newValue ?? 0
            known = newValue == nil ? known & ~(1 << figure.rawValue) : known | 1 << figure.rawValue
        }
    }

    /// The figures that are known, by their names in JSON.
    public var byName: [String: Double] {
        var result: [String: Double] = [:]
        for figure in WireFigure.allCases { result[figure.name] = self[figure] }
        return result
    }
}

extension WireFigures: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (WireFigure, Double)...) {
        for (figure, value) in elements { self[figure] = value }
    }
}

extension WireFigures: Codable {
    public init(from decoder: any Decoder) throws {
        let values = try [String: Double](from: decoder)
        for figure in WireFigure.allCases { self[figure] = values[figure.name] }
    }

    public func encode(to encoder: any Encoder) throws {
        try byName.encode(to: encoder)
    }
}

extension WireFigure {
    /// The name of the case: its member in JSON.
    public var name: String { Self.names[rawValue] }

    private static let names = allCases.map { "\($0)" }
}
