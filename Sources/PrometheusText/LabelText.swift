/// The labels of a series as they stand behind its name.
struct LabelText: Hashable, Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ pairs: [(String, String)]) {
        self.pairs = pairs.map { (name: $0.0, value: $0.1) }
    }

    func with(_ name: String, _ value: String) -> LabelText {
        LabelText(pairs.map { ($0.name, $0.value) } + [(name, value)])
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension LabelText: CustomStringConvertible {
    var description: String {
        guard !pairs.isEmpty else { return "" }
        return "{" + pairs.map { "\($0.name)=\"\($0.value.escapedAsLabel)\"" }.joined(separator: ",") + "}"
    }
}

extension String {
    /// As a value of a label is written: https://prometheus.io/docs/instrumenting/exposition_formats/
    fileprivate var escapedAsLabel: String {
        escapedAsHelp.replacing("\"", with: "\\\"")
    }

    /// As a help text is written.
    var escapedAsHelp: String {
        replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }
}

extension Double {
    /// As Go reads it back: whole numbers without a fraction.
    var exposed: String {
        if isNaN { return "NaN" }
        if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: self).map(String.init) ?? "\(self)"
    }
}
