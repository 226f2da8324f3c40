/// The figures of one stream that are known.
///
/// Only those are held, for a probe fills them in for every stream every few seconds, and most are kept for a while.
public struct WireFigures: Hashable, Sendable {
    /// Those that are known, in the order of their raw values.
    package private(set) var values: [Double] = []
    /// Bit n: the figure with the raw value n is known.
    package private(set) var known: UInt64 = 0

    public init() {}

    /// Makes them of what ``known`` and ``values`` were; `nil` when the one does not fit the other.
    package init?(known: UInt64, values: [Double]) {
        guard known.nonzeroBitCount == values.count, known >> UInt64(WireFigure.allCases.count) == 0 else { return nil }
        (self.known, self.values) = (known, values)
    }

    /// A figure; `nil` when it is not known.
    public subscript(figure: WireFigure) -> Double? {
        get { isKnown(figure) ? values[place(of: figure)] : nil }
        set {
            // Most are set in their order, and once.
            if let newValue, known >> UInt64(figure.rawValue) == 0 {
                if values.isEmpty { values.reserveCapacity(WireFigure.allCases.count) }
                values.append(newValue)
                known |= 1 << figure.rawValue
                return
            }
            let place = place(of: figure)
            switch (isKnown(figure), newValue) {
            case (true, let value?): values[place] = value
            case (true, nil): values.remove(at: place)
            case (false, let value?): values.insert(value, at: place)
            case (false, nil): break
            }
            known = newValue == nil ? known & ~(1 << figure.rawValue) : known | 1 << figure.rawValue
        }
    }

    private func isKnown(_ figure: WireFigure) -> Bool { known & (1 << figure.rawValue) != 0 }

    private func place(of figure: WireFigure) -> Int { (known & (1 << figure.rawValue - 1)).nonzeroBitCount }

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
