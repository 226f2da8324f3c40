import CallModel
import JSONText

/// Gives every member the type W3C gives it, whatever the client's printer made of it.
///
/// Text that spells a JSON number becomes that number, unless its name is one of an identifier or of free text
/// (``MemberNames/isText(_:)``). Only members known to be truth values are read as such. `null` is absence.
enum ValueTypes {
    static func apply(to members: inout JSONObject, notes: inout Set<String>) throws(Problem) {
        try members.updateEach { (name, value) throws(Problem) in
            switch value {
            case .double: return .keep
            case .null: return .remove
            default: break
            }
            switch MemberNames.kind(of: name) {
            case .truth: return .replace(try truth(value, name))
            case .text: return .keep
            case .number: return try number(value, name, isExpected: true, notes: &notes)
            case .any: return try number(value, name, isExpected: false, notes: &notes)
            }
        }
    }

    private static func truth(_ value: JSONValue, _ name: String) throws(Problem) -> JSONValue {
        guard let truth = value.truth else { throw .wrongType(name, value, expected: "true or false") }
        return .bool(truth)
    }

    private static func number(
        _ value: JSONValue, _ name: String, isExpected: Bool, notes: inout Set<String>
    ) throws(Problem) -> JSONObject.Update {
        switch value {
        case .null, .integer, .double: return .keep
        case .string(let text):
            if let number = number(spelledBy: text) { return .replace(number) }
            guard isExpected else { return .keep }
            notes.insert("\(name): text that spells no number was left out")
            return .remove
        case .object(let inner):
            if isExpected { throw .wrongType(name, value, expected: "a number") }
            return .replace(.object(inner.mapValues { $0.text.flatMap(number(spelledBy:)) ?? $0 }))
        case .array, .bool:
            if isExpected { throw .wrongType(name, value, expected: "a number") }
            return .keep
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
