import CallModel
import JSONText
import TestSupport
import Testing

struct JSONSlicesTests {
    private func elements(_ text: String) -> ([String], isCutShort: Bool) {
        let bytes = Array(text.utf8)
        let found = JSONSlices.elements(of: bytes, in: bytes.indices)
        return (found.parts.map { String(decoding: bytes[$0], as: UTF8.self) }, found.isCutShort)
    }

    private func members(_ text: String) -> ([String], isCutShort: Bool) {
        let bytes = Array(text.utf8)
        let found = JSONSlices.members(of: bytes, in: bytes.indices)
        let parts = found.parts.map { member in
            [member.name, member.value].map { String(decoding: bytes[$0], as: UTF8.self) }.joined(separator: "=")
        }
        return (parts, found.isCutShort)
    }

    @Test(arguments: [
        (#" [1, "a]\"", {"b":[2]} ,[[]]] rest"#, ["1", #""a]\"""#, #"{"b":[2]}"#, "[[]]"], false),
        ("[]", [], false), ("{}", [], false), ("", [], false),
        (#"[1,{"a":"#, ["1", #"{"a":"#], true), (#"["a","b"#, [#""a""#, #""b"#], true), ("[1,", ["1"], true),
    ])
    func `elements of an array`(text: String, parts: [String], isCutShort: Bool) {
        #expect(elements(text) == (parts, isCutShort))
    }

    @Test(arguments: [
        (#"{"a": 1, "b\"":{"c":"}"} }"#, ["a=1", #"b\"={"c":"}"}"#], false), ("[]", [], false),
        (#"{"a":1,"b":[2"#, ["a=1", "b=[2"], true), (#"{"a":1,"b"#, ["a=1"], true), (#"{"a""#, [], true),
    ])
    func `members of an object`(text: String, parts: [String], isCutShort: Bool) {
        #expect(members(text) == (parts, isCutShort))
    }

    /// Cut apart and read one by one, an array is what it is when read at once.
    @Test func `parts read alone are the values of the whole`() throws {
        var random = RandomSource(seed: 3)
        for _ in 0..<200 {
            let values = (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.value(depth: 3, &random) }
            let bytes = Array(JSONValue.array(values).canonicalText.utf8)
            let parts = JSONSlices.elements(of: bytes, in: bytes.indices).parts
            #expect(try parts.map { try JSONValue(parsing: bytes, in: $0) } == values)
        }
    }

    private static func value(depth: Int, _ random: inout RandomSource) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 5 : 3), using: &random) {
        case 0: return .null
        case 1: return .integer(Int64.random(in: -9...9, using: &random))
        case 2: return .bool(Bool.random(using: &random))
        case 3: return .string(["", "]}", "a\"b", "\\", "{[", "é"].randomElement(using: &random) ?? "")
        case 4: return .array((0..<2).map { _ in value(depth: depth - 1, &random) })
        default:
            return .object(["k\"": value(depth: depth - 1, &random), "]": value(depth: depth - 1, &random)])
        }
    }

    @Test func `any bytes are cut apart without harm`() {
        var random = RandomSource(seed: 5)
        let alphabet = Array("[]{},:\"\\ ax1\n".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            for part in JSONSlices.elements(of: bytes, in: bytes.indices).parts {
                #expect(part.upperBound <= bytes.count)
            }
            for part in JSONSlices.members(of: bytes, in: bytes.indices).parts {
                #expect(part.value.upperBound <= bytes.count && part.name.upperBound <= bytes.count)
            }
            _ = JSONSlices.value(in: bytes, from: 0)
        }
    }
}
