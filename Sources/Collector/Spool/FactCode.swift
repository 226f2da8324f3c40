import CallModel

/// What ``FactWriter`` and ``FactReader`` agree upon.
enum FactCode {
    static let kinds = CodeTable(MediaKind.allCases)
    static let roles = CodeTable(WireStream.Role.allCases)
    static let clockOrigins = CodeTable(WireStream.ClockOrigin.allCases)
    static let unseenMedia = CodeTable(UnseenMedia.allCases)

    /// The number as a positive whole one of up to 53 bits; `nil` when it is none, such as −0.
    static func whole(_ value: Double) -> UInt64? {
        guard value > 0, value < 9_007_199_254_740_992 else { return nil }
        let whole = UInt64(value)
        return Double(whole) == value ? whole : nil
    }
}

/// Numbers the cases of an enumeration.
struct CodeTable<Case: Hashable & Sendable>: Sendable {
    /// In the order of their numbers.
    let cases: [Case]

    init(_ cases: [Case]) {
        self.cases = cases
    }

    /// The number of a case.
    func code(of wanted: Case) -> UInt8 {
        UInt8(cases.firstIndex(of: wanted) ?? 0)
    }

    /// The case of a number; `nil` when there is none.
    subscript(code: Int) -> Case? {
        cases.indices.contains(code) ? cases[code] : nil
    }
}
