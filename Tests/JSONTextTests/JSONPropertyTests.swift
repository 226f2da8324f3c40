import CallModel
import JSONText
import TestSupport
import Testing

/// A random value of every kind, with the strings and numbers that printers get wrong.
private struct ValueGenerator {
    var random: RandomSource

    mutating func value(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 9 : 7), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(Int64(truncatingIfNeeded: random.next()))
        case 3: .integer(.random(in: -1000...1000, using: &random))
        case 4, 5: double()
        case 6: .string(text())
        case 7: .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in value(depth: depth + 1) })
        default: object(depth: depth)
        }
    }

    private mutating func object(depth: Int) -> JSONValue {
        var members: JSONObject = [:]
        for _ in 0..<Int.random(in: 0..<6, using: &random) { members[text()] = value(depth: depth + 1) }
        return .object(members)
    }

    /// Any finite double; whole ones below 2⁵³ read back as integers and are made so.
    private mutating func double() -> JSONValue {
        let value = Double(bitPattern: random.next())
        guard value.isFinite else { return .double(0.5) }
        if abs(value) < 9_007_199_254_740_992, let whole = Int64(exactly: value) { return .integer(whole) }
        return .double(value)
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "/", "\u{0}", "\u{1F}", "\n", "é", "€", "😀", "\u{2028}"]
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
        }
        return text
    }
}

@Suite struct JSONPropertyTests {
    @Test(arguments: 0..<20) func `canonical text reads back as the same value`(seed: UInt64) throws {
        var generator = ValueGenerator(random: RandomSource(seed: seed))
        for _ in 0..<200 {
            let value = generator.value()
            let text = value.canonicalText
            #expect(try JSONValue(parsing: text) == value, "seed \(seed): \(text)")
        }
    }

    @Test(arguments: 0..<10) func `changed bytes never trap`(seed: UInt64) throws {
        var generator = ValueGenerator(random: RandomSource(seed: seed))
        for _ in 0..<500 {
            var bytes = Array(generator.value().canonicalText.utf8)
            let position = Int.random(in: 0..<bytes.count, using: &generator.random)
            bytes[position] = UInt8.random(in: 0...255, using: &generator.random)
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            #expect(try JSONValue(parsing: value.canonicalText) == value)
        }
    }

    /// Few names, so that they are repeated, in objects in objects, with escapes or without.
    private static func objectText(_ random: inout RandomSource, depth: Int = 0) -> String {
        let names = ["a", "\\u0061", "b", "bc", "unknown", "\\u0075nknown"]
        let members = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            let isNested = depth < 3 && Bool.random(using: &random)
            let value =
                isNested ? objectText(&random, depth: depth + 1) : String(Int.random(in: 0..<100, using: &random))
            return "\"\(name)\":\(value)"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test(arguments: 0..<10) func `names known from the beginning change nothing, however often they occur`(
        seed: UInt64
    ) throws {
        let names = JSONNames(["a", "b", "bc"])
        var random = RandomSource(seed: seed)
        for _ in 0..<500 {
            let text = Self.objectText(&random)
            let bytes = Array(text.utf8)
            let value = try JSONValue(parsing: bytes, in: bytes.indices, names: names)
            #expect(try JSONValue(parsing: text).canonicalText == value.canonicalText, "seed \(seed): \(text)")
        }
        let bytes = Array(#"{"bc":1}"#.utf8)
        let limits = JSONLimits(maximumStringBytes: 1)
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: bytes, in: bytes.indices, limits: limits, names: names)
        }
    }
}
