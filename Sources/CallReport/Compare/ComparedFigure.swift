import CallModel

/// One figure of two calls, and which of them has the better one.
struct ComparedFigure: Hashable {
    /// Which of two values is the better one.
    enum Preference: Hashable {
        case less, more
        /// Neither: the figure describes, and does not judge.
        case none
    }

    /// The first call, A, or the second, B.
    enum Side: String, Hashable {
        case a, b
    }

    /// For people.
    var label: String
    /// For programs, with the unit.
    var name: String
    var unit = ""
    var first: Double?
    var second: Double?
    var preference = Preference.less
    /// Digits behind the point where they are fixed.
    var places: Int?
    /// A difference below this is none to speak of.
    var leastDifference = 0.0

    /// B − A; `nil` unless both are known.
    var difference: Double? {
        guard let first, let second, first.isFinite, second.isFinite else { return nil }
        return second - first
    }

    /// The side with the better value; `nil` when they are alike, one is not known, or there is no better.
    var better: Side? {
        guard let difference, difference != 0, abs(difference) >= leastDifference else { return nil }
        switch preference {
        case .none: return nil
        case .less: return difference < 0 ? .b : .a
        case .more: return difference > 0 ? .b : .a
        }
    }

    /// Whether either call has the figure.
    var isKnown: Bool { first != nil || second != nil }

    /// A value with its unit.
    func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return Figures.unknown }
        let number = places.map { Figures.fixed(value, places: $0) } ?? Figures.number(value)
        return unit.isEmpty ? number : "\(number) \(unit)"
    }

    /// `B by 58`, `alike`, or `–` where one side is not known; empty where neither is better.
    var judgement: String {
        guard let difference else { return Figures.unknown }
        if let better { return "\(better.rawValue.uppercased()) by \(text(abs(difference)))" }
        return preference == .none && difference != 0 ? "" : "alike"
    }

    /// `{"a", "b", "difference", "better"}`.
    var value: JSONValue {
        [
            "a": JSONValue(first), "b": JSONValue(second), "difference": JSONValue(difference),
            "better": JSONValue(better?.rawValue),
        ]
    }
}
