import CallModel

/// JSON as Foundation's decoder reads it, by the rule that whole numbers are integers.
struct FoundationValue: Decodable {
    var value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let truth = try? container.decode(Bool.self) {
            value = .bool(truth)
        } else if let whole = try? container.decode(Int64.self) {
            value = .integer(whole)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let values = try? container.decode([FoundationValue].self) {
            value = .array(values.map(\.value))
        } else {
            value = .object(JSONObject(try container.decode([String: FoundationValue].self).mapValues(\.value)))
        }
    }
}

extension JSONValue {
    /// Foundation does not tell 9e18 from 9000000000000000000.
    var withLargeNumbersAsDoubles: JSONValue {
        switch self {
        case .integer(let whole) where whole.magnitude >= 1 << 53: .double(Double(whole))
        case .array(let values): .array(values.map(\.withLargeNumbersAsDoubles))
        case .object(let members): .object(members.mapValues(\.withLargeNumbersAsDoubles))
        default: self
        }
    }
}
