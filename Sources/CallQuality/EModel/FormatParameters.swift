/// The parameters of an SDP `fmtp` line: `name=value` between semicolons. Names in lower case, the first of each counts.
struct FormatParameters {
    private let values: [String: String]

    init(_ line: String?) {
        let parts = (line ?? "").split(separator: ";").map { part in
            part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
        }
        values = Dictionary(parts.filter { $0.count == 2 }.map { ($0[0].lowercased(), $0[1]) }) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name] }

    /// A positive number; `nil` for anything else.
    func number(_ name: String) -> Double? {
        values[name].flatMap { Double($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let rest = drop { $0 == " " }
        return String(
            rest.prefix(rest.lastIndex { $0 != " " }.map { rest.distance(from: rest.startIndex, to: $0) + 1 } ?? 0))
    }
}
