import CallModel

/// How figures read: at most three significant digits for what was measured, all digits for what was counted.
enum Figures {
    /// What stands for a figure that is not known.
    static let unknown = "–"

    /// A measured figure: `0.25`, `8.1`, `34.0`, `612`, `2580`; `–` when it is not known.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return unknown }
        let size = abs(value)
        if size == 0 { return "0" }
        if size < 0.005 { return value < 0 ? ">-0.01" : "<0.01" }
        if size < 0.995 { return fixed(value, places: 2) }
        if size < 99.95 { return fixed(value, places: 1) }
        return threeDigits(value)
    }

    /// A measured figure with its unit; a bare `–` when it is not known.
    static func number(_ value: Double?, _ unit: String) -> String {
        let text = number(value)
        return text == unknown ? text : "\(text) \(unit)"
    }

    static func percent(_ value: Double?) -> String {
        number(value, "%")
    }

    /// A counted figure, all its digits.
    static func count<Count: BinaryInteger>(_ value: Count?) -> String {
        value.map { "\($0)" } ?? unknown
    }

    /// A counter that is kept as a number, all its digits.
    static func whole(_ value: Double) -> String {
        Int64(exactly: value.rounded()).map { "\($0)" } ?? number(value)
    }

    /// Whole milliseconds between two events, all digits.
    static func milliseconds(_ value: Int64?) -> String {
        value.map { "\($0) ms" } ?? unknown
    }

    /// A decimal fraction with a fixed number of places.
    static func fixed(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "\(value)" }
        let digits = String(scaled.magnitude % scale.magnitude)
        let fraction = String(repeating: "0", count: max(0, places - digits.count)) + digits
        let sign = scaled < 0 ? "-" : ""
        return sign + "\(scaled.magnitude / scale.magnitude)" + (places > 0 ? ".\(fraction)" : "")
    }

    private static func threeDigits(_ value: Double) -> String {
        var scale = 1.0
        while abs(value) / scale >= 999.5 { scale *= 10 }
        guard let whole = Int64(exactly: (value / scale).rounded() * scale) else { return "\(value)" }
        return "\(whole)"
    }
}
