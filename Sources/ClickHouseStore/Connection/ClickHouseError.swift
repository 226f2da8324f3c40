/// Why ClickHouse did not do what it was asked, and what that means for whoever asked.
struct ClickHouseError: Error, Hashable, Sendable {
    /// What to do about it.
    enum Kind: Hashable, Sendable {
        /// The same may succeed later: the network, a server that starts, a replica that is down, want of memory.
        case retry
        /// The same will never succeed, other things may: a row that the table does not take.
        case poison
        /// Nothing will succeed until somebody mends it: a wrong password, no such table or database.
        case `operator`
    }

    /// The engine's own number; nil when there was no answer, or none of its kind.
    var code: Int?
    var kind: Kind
    /// For people: what was wrong.
    var message: String

    /// Whether another server may do what this one did not.
    var isOfServer: Bool { code == nil && kind == .retry }
}

extension ClickHouseError: CustomStringConvertible {
    var description: String { code.map { "\(message) (ClickHouse error \($0))" } ?? message }
}

extension ClickHouseError {
    /// Error numbers of the engine (`ErrorCodes.cpp`), which it has kept from version to version.
    private static let retried: Set = [159, 202, 209, 210, 236, 241, 242, 252, 279, 319, 394, 999]
    private static let poisonous: Set = [26, 27, 33, 53, 62, 117]

    /// What an error number means. One that is not known is for people to look at: nothing is put aside, and nothing is
    /// lost while they do.
    static func kind(ofCode code: Int) -> Kind {
        if retried.contains(code) { return .retry }
        return poisonous.contains(code) ? .poison : .operator
    }

    /// An answer that is not 200, or that says it is an error.
    ///
    /// The text decides, not the status: the engine's statuses differ from version to version.
    init(status: Int, answer: String, from place: String) {
        guard let code = Self.code(of: answer) else {
            let excerpt = Self.excerpt(answer)
            self.init(
                kind: status == 429 || status >= 500 ? .retry : .operator,
                message: "\(place) answers \(status), not as ClickHouse does\(excerpt.isEmpty ? "" : ": \(excerpt)")")
            return
        }
        self.init(
            code: code, kind: Self.kind(ofCode: code),
            message: "ClickHouse at \(place) refuses: \(Self.excerpt(Self.reason(in: answer)))")
    }

    /// The number of `Code: 60, e.displayText() = …` (18.16) and `Code: 60. DB::Exception: …` (later).
    private static func code(of answer: String) -> Int? {
        guard let start = answer.firstRange(of: "Code: ") else { return nil }
        return Int(answer[start.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    /// What is left without the wrapping, which differs from version to version.
    private static func reason(in answer: String) -> Substring {
        var reason = answer[...]
        // `DB::Exception: `, `Coordination::Exception: `, …
        if let start = reason.firstRange(of: "::Exception: ") { reason = reason[start.upperBound...] }
        for end in [", e.what() = ", " (version ", ". Stack trace:"] {
            if let range = reason.firstRange(of: end) { reason = reason[..<range.lowerBound] }
        }
        return reason
    }

    /// One line of at most 400 characters.
    private static func excerpt(_ text: some StringProtocol) -> String {
        let line = text.unicodeScalars.prefix(2000).map { $0.properties.generalCategory == .control ? " " : String($0) }
        let words = line.joined().split(separator: " ").joined(separator: " ")
        return words.count > 400 ? words.prefix(399) + "…" : words
    }
}
