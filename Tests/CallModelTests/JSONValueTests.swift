import CallModel
import TestSupport
import Testing

@Suite struct JSONValueTests {
    static let spellings: [(JSONValue, String)] = [
        (.null, "null"),
        (true, "true"),
        (false, "false"),
        (.integer(.max), "9223372036854775807"),
        (.integer(.min), "-9223372036854775808"),
        (0.25, "0.25"),
        (.double(3), "3"),
        (.double(-0.0), "0"),
        (.double(1e300), "1e+300"),
        (.double(.infinity), "null"),
        (.double(.nan), "null"),
        ("", "\"\""),
        ("a\"b\\c\n\r\t\u{1}\u{1F}", #""a\"b\\c\n\r\t\u0001\u001f""#),
        ("naïve 🙂 /", "\"naïve 🙂 /\""),
        ([], "[]"),
        ([1, "x", .null], "[1,\"x\",null]"),
        (.object([:]), "{}"),
        (["b": 1, "a": ["d": [true], "c": 0.5]], "{\"a\":{\"c\":0.5,\"d\":[true]},\"b\":1}"),
    ]

    @Test(arguments: spellings) func `has one canonical spelling`(_ value: JSONValue, _ text: String) {
        #expect(value.canonicalText == text)
    }

    @Test func `members are spelt in the same order however the object was made`() {
        let names = (0..<40).map { "member\($0)" }
        let forward = JSONValue.object(JSONObject(names.map { ($0, .integer(1)) }) { first, _ in first })
        var backward: JSONObject = [:]
        for name in names.reversed() { backward[name] = 1 }
        #expect(forward.canonicalText == JSONValue.object(backward).canonicalText)
    }

    @Test(
        arguments: [
            (.integer(7), 7.0), (.double(0.5), 0.5), ("12.5", 12.5), ("-3", -3.0), ("nan", nil), ("inf", nil),
            ("", nil),
            ("7 apples", nil), (true, nil), (.null, nil), (.double(.infinity), nil), ([1], nil), (.object([:]), nil),
        ] as [(JSONValue, Double?)])
    func `reads a finite number, quoted or not`(_ value: JSONValue, _ number: Double?) {
        #expect(value.number == number)
    }

    @Test(
        arguments: [
            (.integer(.max), .max), ("9223372036854775807", .max), (.double(2.4), 2), (.double(2.5), 3), ("1.6", 2),
            (.double(1e19), nil), ("1e19", nil), ("x", nil), (false, nil), (.null, nil),
        ] as [(JSONValue, Int64?)])
    func `reads a whole number, rounded, that fits 64 bits`(_ value: JSONValue, _ number: Int64?) {
        #expect(value.wholeNumber == number)
    }

    @Test(
        arguments: [
            (true, true), (false, false), (1, true), (0, false), ("true", true), ("false", false), ("1", true),
            ("0", false), ("YES", true), ("NO", false), (2, nil), ("yes", nil), (.null, nil), (1.0, nil), ([], nil),
        ] as [(JSONValue, Bool?)])
    func `reads a truth value as clients spell it`(_ value: JSONValue, _ truth: Bool?) {
        #expect(value.truth == truth)
    }

    @Test func `text and members are only what is text or an object`() {
        #expect(JSONValue.string("x").text == "x")
        #expect(JSONValue.integer(1).text == nil)
        #expect(JSONValue.object(["a": 1]).members == ["a": 1])
        #expect(JSONValue.array([]).members == nil)
    }

    @Test func `of a member said twice the last counts`() {
        let value: JSONValue = ["a": 1, "a": 2]
        #expect(value.members == ["a": 2])
    }
}
