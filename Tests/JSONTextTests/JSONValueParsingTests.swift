import CallModel
import JSONText
import Testing

@Suite struct JSONValueParsingTests {
    private static let accepted: [(String, JSONValue)] = [
        ("null", .null),
        (" true ", true),
        ("false\n", false),
        ("0", 0), ("-0", 0), ("-0.0", 0), ("7", 7), ("-12", -12),
        ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
        ("18446744073709551616", .double(18_446_744_073_709_551_616)),
        ("1.0", 1), ("1e3", 1000), ("1.638454059701717E12", .double(1_638_454_059_701.717)), ("120E-1", 12),
        ("9007199254740991.0", .integer(9_007_199_254_740_991)),
        ("9007199254740992.0", .double(9_007_199_254_740_992)),
        ("0.1", 0.1), ("-2.5", -2.5), ("1e-7", 1e-7), ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-999", 0),
        ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
        ("0.1000000000000000055511151231257827", 0.1),
        ("123456789012345678901234567890", .double(1.2345678901234568e29)),
        ("\"\"", ""), ("\"a b\"", "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\uDE00!""#, "😀!"), ("\"😀é\"", "😀é"), (#""\u0000""#, "\u{0}"),
        ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]),
        ("[1,[2,{\"a\":null}]]", [1, [2, ["a": .null]]]),
        ("{\"a\":1,\"a\":2}", ["a": 2]),
        ("\u{FEFF}{\"a\" : [ true , false ] }", ["a": [true, false]]),
    ]

    @Test(arguments: accepted)
    func `reads what RFC 8259 allows`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        arguments: [
            (#""cut \ud83d""#, "cut \u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""\ud83dA\ude00""#, "\u{FFFD}A\u{FFFD}"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (#""\ud83d\n""#, "\u{FFFD}\n"),
            (#"{"\udead":"\ud83d"}"#, ["\u{FFFD}": "\u{FFFD}"]),
        ] as [(String, JSONValue)])
    func `half of a surrogate pair is U+FFFD and costs nothing else`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    private static let refused: [(String, String)] = [
        ("", "line 1, column 1: the text ended, expected a value"),
        ("  ", "line 1, column 3: the text ended, expected a value"),
        ("{\"a\":", "line 1, column 6: the text ended, expected a value"),
        ("{\"a\"", "line 1, column 5: the text ended, expected `:` after the member name"),
        ("{\"a\":1", "line 1, column 7: the text ended, expected `,` or `}`"),
        ("{\"a", "line 1, column 4: the text ended, expected the closing `\"` of a string"),
        ("[1,", "line 1, column 4: the text ended, expected a value"),
        ("[1,]", "line 1, column 4: found `]`, expected a value"),
        ("[1 2]", "line 1, column 4: found `2`, expected `,` or `]`"),
        ("{\"a\":1,}", "line 1, column 8: found `}`, expected a member name in quotes"),
        ("{a:1}", "line 1, column 2: found `a`, expected a member name in quotes"),
        ("{\"a\" 1}", "line 1, column 6: found `1`, expected `:` after the member name"),
        ("{\n  \"a\": 1\n} x", "line 3, column 3: found `x`, expected the end of the text"),
        ("1 2", "line 1, column 3: found `2`, expected the end of the text"),
        ("tru", "line 1, column 1: found `tru`, expected a value"),
        ("[undefined]", "line 1, column 2: found `undefined`, expected a value"),
        ("'a'", "line 1, column 1: found `'`, expected a value"),
        ("\u{1}", "line 1, column 1: found byte 0x01, expected a value"),
        ("01", "line 1, column 2: found `1`, expected `.`, an exponent or the end of the number after a leading zero"),
        ("-", "line 1, column 2: the text ended, expected a digit after `-`"),
        ("-x", "line 1, column 2: found `x`, expected a digit after `-`"),
        ("+1", "line 1, column 1: found `+`, expected a value"),
        (".5", "line 1, column 1: found `.`, expected a value"),
        ("1.", "line 1, column 3: the text ended, expected a digit after `.`"),
        ("1e", "line 1, column 3: the text ended, expected a digit in the exponent"),
        ("1e400", "line 1, column 1: the number 1e400 is beyond the range of a 64-bit float"),
        ("NaN", "line 1, column 1: NaN is not JSON; expected a number"),
        ("{\"jitter\":nan}", "line 1, column 11: nan is not JSON; expected a number"),
        ("[-inf]", "line 1, column 2: -inf is not JSON; expected a number"),
        ("[-Infinity]", "line 1, column 2: -Infinity is not JSON; expected a number"),
        ("\"a\nb\"", "line 1, column 3: found byte 0x0A, expected an escape, for strings hold no control characters"),
        (#""\x""#, "line 1, column 3: found `x`, expected an escape: one of \" \\ / b f n r t u"),
        (#""\ud83d\u12G4""#, "line 1, column 12: found `G`, expected four hexadecimal digits after `\\u`"),
        (#""\u12G4""#, "line 1, column 6: found `G`, expected four hexadecimal digits after `\\u`"),
    ]

    @Test(arguments: refused)
    func `says where and what it expected`(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == message)
    }

    @Test func `refuses bytes that are not UTF-8`() {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: [0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D])
        }
        #expect(error?.description == "line 1, column 3: these bytes are not UTF-8")
    }

    @Test(arguments: ["nan", "NaN", "-nan", "inf", "-inf", "Infinity", "-Infinity"])
    func `reads words for numbers as null when asked to`(word: String) throws {
        let value = try JSONValue(parsing: "[\(word),1]", limits: JSONLimits(acceptsBareNonNumbers: true))
        #expect(value == [.null, 1])
    }

    @Test func `stops at each limit`() throws {
        let limits = JSONLimits(maximumDepth: 2, maximumStringBytes: 4, maximumValues: 5)
        #expect(try JSONValue(parsing: "[[\"abcd\"]]", limits: limits) == [["abcd"]])
        #expect(throws: JSONSyntaxError(.tooDeep(limit: 2), at: 2, in: Array("[[[]]]".utf8))) {
            try JSONValue(parsing: "[[[]]]", limits: limits)
        }
        #expect(throws: JSONSyntaxError(.stringTooLong(limit: 4), at: 1, in: Array("\"abcde\"".utf8))) {
            try JSONValue(parsing: "\"abcde\"", limits: limits)
        }
        #expect(throws: JSONSyntaxError(.tooManyValues(limit: 5), at: 9, in: Array("[1,2,3,4,5]".utf8))) {
            try JSONValue(parsing: "[1,2,3,4,5]", limits: limits)
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: #""ab\ncd""#, limits: limits) }
    }

    @Test func `deep nesting ends in an error, not in a crash`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.problem == .tooDeep(limit: 64))
        #expect(error?.isLimit == true)
    }

    @Test func `reads a part of a buffer and says where in the buffer it failed`() throws {
        let bytes = Array("{}\n{\"a\":x}\n".utf8)
        #expect(try JSONValue(parsing: bytes, in: 0..<2) == [:])
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes, in: 3..<10, firstLine: 2) }
        #expect(error?.description == "line 2, column 6: found `x`, expected a value")
        #expect(error?.offset == 8)
    }
}
