/// A JSON value (RFC 8259) as a client sent it.
///
/// Whole numbers up to 64 bits stay exact; all others are IEEE doubles. Members of an object have no order.
///
/// `1` and `1.0` are one number and so are equal: values are equal exactly when their ``canonicalText`` is.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The value as a finite number; a string that spells one counts, for many clients quote theirs. Else `nil`.
    public var number: Double? {
        let value: Double?
        switch self {
        case .integer(let integer): value = Double(integer)
        case .double(let double): value = double
        case .string(let text): value = Double(text)
        default: value = nil
        }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value as a whole number, rounded to the nearest; `nil` when it is none or does not fit 64 bits.
    public var wholeNumber: Int64? {
        if case .integer(let integer) = self { return integer }
        if case .string(let text) = self, let integer = Int64(text) { return integer }
        return number.flatMap { Int64(exactly: $0.rounded()) }
    }

    /// The value as text, when it is text.
    public var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The value as a truth value: `true`/`false`, 1/0, or the text of either as iOS prints them (`YES`/`NO`).
    public var truth: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(1), .string("1"), .string("true"), .string("YES"): true
        case .integer(0), .string("0"), .string("false"), .string("NO"): false
        default: nil
        }
    }

    /// The members of an object; `nil` for every other value.
    public var members: JSONObject? {
        if case .object(let members) = self { return members }
        return nil
    }
}

// MARK: - Equality

extension JSONValue: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.canonical, right.canonical) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch canonical {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let members): hasher.combine(members)
        }
    }

    /// The value, a double as what its text reads back as.
    private var canonical: JSONValue {
        guard case .double(let value) = self else { return self }
        guard value.isFinite else { return .null }
        guard let whole = Int64(exactly: value), abs(value) < 9_007_199_254_740_992 else { return self }
        return .integer(whole)
    }
}

// MARK: - Canonical text

extension JSONValue {
    /// The one spelling of this value: members sorted by name, no spaces, shortest numbers.
    ///
    /// Equal values have equal text, so it serves both for storage and for comparing contents.
    public var canonicalText: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Bytes, not a `String`, to which a few characters at a time are dear to append.
    private func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += value ? "true".utf8 : "false".utf8
        case .integer(let value): text += String(value).utf8
        case .double(let value): text += Self.spelling(of: value, canonical).utf8
        case .string(let value): Self.write(value, to: &text)
        case .array(let values): Self.write(values, between: "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members.inOrder, between: "{", "}", to: &text) { member, text in
                Self.write(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(to: &text)
            }
        }
    }

    private static func write<Values: Collection>(
        _ values: Values, between first: Unicode.Scalar, _ last: Unicode.Scalar, to text: inout [UInt8],
        each write: (Values.Element, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: first))
        var isFirst = true
        for value in values {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            write(value, &text)
            isFirst = false
        }
        text.append(UInt8(ascii: last))
    }

    /// JSON has no spelling for infinities and NaN: they become `null`. A whole double reads back as an integer.
    private static func spelling(of value: Double, _ canonical: JSONValue) -> String {
        switch canonical {
        case .null: "null"
        case .integer(let whole): String(whole)
        default: "\(value)"
        }
    }

    private static func write(_ value: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        // Hardly any name or value needs an escape, and to append it whole is many times faster.
        if needsEscape(value) {
            for byte in value.utf8 { writeEscaped(byte, to: &text) }
        } else {
            text += value.utf8
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ value: String) -> Bool {
        let bytes = value.utf8Span.span
        for index in bytes.indices where isEscaped(bytes[index]) { return true }
        return false
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// What is escaped is ASCII, and of no longer sign in UTF-8 a part.
    private static func writeEscaped(_ byte: UInt8, to text: inout [UInt8]) {
        guard isEscaped(byte) else { return text.append(byte) }
        switch byte {
        case UInt8(ascii: "\n"): text += "\\n".utf8
        case UInt8(ascii: "\r"): text += "\\r".utf8
        case UInt8(ascii: "\t"): text += "\\t".utf8
        case ..<0x20: text += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
        default: text += [UInt8(ascii: "\\"), byte]
        }
    }
}

extension JSONObject {
    /// The members by their names; those that are two in an object though Swift calls them equal have an order, too.
    fileprivate var inOrder: some Collection<Member> {
        members.indices.sorted { Self.areInOrder(members[$0].key, members[$1].key) }.lazy.map { members[$0] }
    }

    private static func areInOrder(_ left: String, _ right: String) -> Bool {
        left < right || left.utf8.count < right.utf8.count && left == right
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements) { _, last in last })
    }
}
