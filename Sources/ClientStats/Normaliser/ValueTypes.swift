import CallModel
import JSONText

/// Gives every member the type W3C gives it, whatever the client's printer made of it.
///
/// Text that spells a JSON number becomes that number, unless its name is one of an identifier or of free text
/// (``MemberNames/isText(_:)``). Only members known to be truth values are read as such. `null` is absence.
enum ValueTypes {
    /// The value of a member; `nil` where it is absent, or left out.
    /// - Throws: for a value that is none of its name.
    static func typed(
        _ value: JSONValue, named name: String, notes: inout Set<String>
    ) throws(Problem) -> JSONValue? {
        switch value {
        case .double: return value
        case .null: return nil
        default: break
        }
        switch MemberNames.kind(of: name) {
        case .truth: return try truth(value, name)
        case .text: return value
        case .number: return try number(value, name, isExpected: true, notes: &notes)
        case .any: return try number(value, name, isExpected: false, notes: &notes)
        }
    }

    private static func truth(_ value: JSONValue, _ name: String) throws(Problem) -> JSONValue {
        guard let truth = value.truth else { throw .wrongType(name, value, expected: "true or false") }
        return .bool(truth)
    }

    private static func number(
        _ value: JSONValue, _ name: String, isExpected: Bool, notes: inout Set<String>
    ) throws(Problem) -> JSONValue? {
        switch value {
        case .null, .integer, .double: return value
        case .string(let text):
            if let number = number(spelledBy: text) { return number }
            guard isExpected else { return value }
            notes.insert("\(name): text that spells no number was left out")
            return nil
        case .object(let inner):
            if isExpected { throw .wrongType(name, value, expected: "a number") }
            return .object(inner.mapValues { $0.text.flatMap(number(spelledBy:)) ?? $0 })
        case .array, .bool:
            if isExpected { throw .wrongType(name, value, expected: "a number") }
            return value
        }
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
