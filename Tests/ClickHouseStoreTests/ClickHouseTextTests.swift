import Testing

@testable import ClickHouseStore

/// What stands in a statement. That the engine reads it as it was meant is tested with the engine: `LiteralTests`.
@Suite struct ClickHouseTextTests {
    @Test(arguments: [
        ("", "''"),
        ("plain", "'plain'"),
        ("it's", #"'it\'s'"#),
        (#"a\b"#, #"'a\\b'"#),
        (#"\'; DROP TABLE calls; --"#, #"'\\\'; DROP TABLE calls; --'"#),
        ("a\0b\nc\u{7F}", #"'a\x00b\x0Ac\x7F'"#),
        ("'\u{301}\\\u{301}", "'\\'\u{301}\\\\\u{301}'"),
        ("ключ 🔑 `x`", "'ключ 🔑 `x`'"),
    ]) func `nothing in a literal ends it`(text: String, literal: String) {
        #expect(ClickHouseText.literal(text).utf8.elementsEqual(literal.utf8))
    }

    @Test(arguments: [
        ("calls", "`calls`"), ("a`b", #"`a\`b`"#), (#"a\`b"#, #"`a\\\`b`"#), ("it's", "`it's`"),
    ]) func `nothing in a name ends it`(text: String, name: String) {
        #expect(ClickHouseText.name(text) == name)
    }
}
