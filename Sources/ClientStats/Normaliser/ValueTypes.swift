import CallModel
import JSONText

/// Gives every member the type W3C gives it, whatever the client's printer made of it.
///
/// Text that spells a JSON number becomes that number, unless its name is one of an identifier or of free text
/// (``MemberNames/isText(_:)``). Only members known to be truth values are read as such. `null` is absence.
enum ValueTypes {
    static func apply(to members: inout [String: JSONValue], notes: inout Set<String>) throws(Problem) {
        for (name, value) in members {
            switch value {
            case .double: continue
            case .null: members[name] = nil
            case .integer where !MemberNames.booleans.contains(name): continue
            default: try apply(name, value, to: &members, notes: &notes)
            }
        }
    }

    private static func apply(
        _ name: String, _ value: JSONValue, to members: inout [String: JSONValue], notes: inout Set<String>
    ) throws(Problem) {
        if MemberNames.booleans.contains(name) {
            members[name] = try truth(value, name)
        } else if !MemberNames.isText(name) {
            try applyNumber(name, value, to: &members, notes: &notes)
        }
    }

    private static func truth(_ value: JSONValue, _ name: String) throws(Problem) -> JSONValue {
        guard let truth = value.truth else { throw .wrongType(name, value, expected: "true or false") }
        return .bool(truth)
    }

    private static func applyNumber(
        _ name: String, _ value: JSONValue, to members: inout [String: JSONValue], notes: inout Set<String>
    ) throws(Problem) {
        switch value {
        case .null, .integer, .double: return
        case .string(let text):
            if let number = number(spelledBy: text) {
                members[name] = number
            } else if MemberNames.numbers.contains(name) {
                members[name] = nil
                notes.insert("\(name): text that spells no number was left out")
            }
        case .object(let inner):
            try refuseNumber(name, value)
            members[name] = .object(inner.mapValues { $0.text.flatMap(number(spelledBy:)) ?? $0 })
        case .array, .bool: try refuseNumber(name, value)
        }
    }

    private static func refuseNumber(_ name: String, _ value: JSONValue) throws(Problem) {
        if MemberNames.numbers.contains(name) { throw .wrongType(name, value, expected: "a number") }
    }

    /// The number a text spells, in JSON's own spelling only: `1e999`, `0x10`, `nan` and `1 ` are text.
    static func number(spelledBy text: String) -> JSONValue? {
        let digits: ClosedRange<UInt8> = 0x30...0x39
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || digits.contains(first),
            text.utf8.last.map(digits.contains) == true, text.utf8.count <= 40
        else { return nil }
        return try? JSONValue(parsing: text)
    }
}
