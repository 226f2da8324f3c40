/// The version of a server, as `SELECT version()` tells it: `18.16.1`, `26.9.1.17`.
struct ClickHouseVersion: Hashable, Comparable, Sendable {
    var major: Int
    var minor: Int
    var patch = 0

    static func < (one: Self, other: Self) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
}

extension ClickHouseVersion {
    /// - Returns: nil when the text does not begin with two numbers.
    init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).prefix(3).map { part in
            Int(part.prefix { $0.isASCII && $0.isNumber })
        }
        guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        self.init(major: major, minor: minor, patch: (numbers.count > 2 ? numbers[2] : nil) ?? 0)
    }
}

extension ClickHouseVersion: CustomStringConvertible {
    var description: String { "\(major).\(minor).\(patch)" }
}
