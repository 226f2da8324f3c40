import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// What is written reads back as it was.
@Suite struct JSONWriterTests {
    @Test func `any value reads back as it was written`() throws {
        var random = RandomSource(seed: 4)
        for _ in 0..<2_000 {
            let value = Self.value(depth: 0, &random)
            var text = JSONWriter()
            text.write(value)
            #expect(try JSONValue(parsing: text.bytes) == value)
        }
    }

    @Test func `numbers that JSON cannot spell are null, whole ones have no fraction`() {
        var text = JSONWriter()
        text.write([.double(.nan), .double(-.infinity), .double(2), .integer(.min), .integer(.max), .double(0.1)])
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == "[null,null,2,-9223372036854775808,9223372036854775807,0.1]")
    }

    private static func value(depth: Int, _ random: inout RandomSource) -> JSONValue {
        switch random.next() % (depth < 4 ? 7 : 5) {
        case 0: return .null
        case 1: return .bool(random.next() % 2 == 0)
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3:
            let double = Double(bitPattern: random.next())
            return double.isFinite ? .double(double) : .null
        case 4: return .string(text(&random))
        case 5: return .array((0..<random.next() % 5).map { _ in value(depth: depth + 1, &random) })
        default:
            let members = (0..<random.next() % 5).map { _ in (text(&random), value(depth: depth + 1, &random)) }
            return .object(JSONObject(members) { first, _ in first })
        }
    }

    private static func text(_ random: inout RandomSource) -> String {
        let parts = ["a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "🎧", "packetsReceived", "/"]
        return (0..<random.next() % 6).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
}

/// Foundation's decoder takes what our encoder writes.
@Suite struct JSONStreamEncoderTests {
    private struct Everything: Codable, Equatable {
        enum Kind: String, Codable, CodingKeyRepresentable { case one, two }
        struct Inner: Codable, Equatable {
            var empty: [Int] = []
            var none: Int?
        }

        var text = "a \"quoted\" text\n"
        var whole = -7
        var real = 0.1
        var small: UInt8 = 255
        var large = Int64.max
        var truth = true
        var none: String?
        var list = [1.5, .infinity, -.infinity]
        var nested = [[Inner()], []]
        var byKind: [Kind: Double] = [.one: 1, .two: 2]
        var byNumber: [Int: String] = [3: "x"]
        var byText: [String: Inner] = ["k": Inner(none: 4)]
        var set: Set<String> = ["x"]
    }

    private var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    @Test func `every kind of value reads back as it was`() throws {
        let value = Everything()
        let bytes = try JSONStreamEncoder.encode(value)
        #expect(try decoder.decode(Everything.self, from: Data(bytes)) == value)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"text":"a \"quoted\" text\u000a","whole":-7,"#))
        #expect(try JSONStreamEncoder.encode([Double.nan]) == Array(#"["nan"]"#.utf8))
    }

    @Test func `what it does not write is an error, never half a text`() {
        #expect(throws: EncodingError.self) { try JSONStreamEncoder.encode(["beyond": UInt64.max]) }
        #expect(throws: EncodingError.self) { try JSONStreamEncoder.encode(Nesting()) }
    }

    private struct Nesting: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            var inner = container.nestedUnkeyedContainer()
            try inner.encode(1)
        }
    }
}
