import CallModel
import JSONText

/// Why a part of a body, or all of it, is not taken.
struct Problem: Error, Hashable {
    var reason: RefusalReason
    var message: String

    init(_ reason: RefusalReason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    init(_ error: JSONSyntaxError) {
        self.init(error.isLimit ? .tooLarge : .malformed, "not readable JSON: \(error)")
    }

    static func missing(_ member: String, hint: String = "") -> Problem {
        Problem(.missingMember, "the member `\(member)` is missing\(hint)")
    }

    static func wrongType(_ member: String, _ value: JSONValue, expected: String) -> Problem {
        Problem(.wrongType, "`\(member)` is \(value.kindName), expected \(expected)")
    }

    static func tooLong(_ what: String, bytes: Int, limit: Int) -> Problem {
        Problem(.tooLarge, "\(what) has \(bytes) bytes; at most \(limit) are accepted")
    }

    static func tooMany(limit: Int) -> Problem {
        Problem(.tooLarge, "the body holds more than \(limit) objects; send it in parts")
    }

    static func tooMany(_ what: String, limit: Int) -> Problem {
        Problem(.tooLarge, "more than \(limit) \(what); no more are read")
    }

    func prefixed(_ place: String) -> Problem {
        place.isEmpty ? self : Problem(reason, "\(place): \(message)")
    }
}

extension ClientStatsError {
    init(_ problem: Problem) {
        self.init(reason: problem.reason, description: problem.message)
    }
}

extension JSONValue {
    /// What a person calls this kind of value.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "the number \(value)"
        case .double(let value): "the number \(value)"
        case .string(let text) where text.utf8.count <= 40: "the text \"\(text)\""
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// An identifier a client sent: not empty, not longer than the limit. A number counts as its digits.
///
/// - Returns: `nil` when it is absent, `null` or empty.
func identifier(
    _ name: String, in members: JSONObject, limits: BodyLimits
) throws(Problem) -> String? {
    guard let value = members[name], value != .null, value != .string("") else { return nil }
    let text: String
    switch value {
    case .string(let value): text = value
    case .integer(let value): text = String(value)
    default: throw .wrongType(name, value, expected: "text")
    }
    guard text.utf8.count <= limits.identifierBytes else {
        throw .tooLong("`\(name)`", bytes: text.utf8.count, limit: limits.identifierBytes)
    }
    return text
}
