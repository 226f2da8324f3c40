import Testing

@testable import SQLiteStore

@Suite struct StoredTextTests {
    @Test(arguments: ["", "plain", "\u{0}", "a\u{0}b\u{0}", "\u{FFFF}", "\u{FFFF}0", "\u{0}\u{FFFF}F", "é", "日本"])
    func `text is read back as it was written`(text: String) {
        let stored = StoredText.encode(text)
        #expect(StoredText.decode(stored) == text)
        #expect(!stored.utf8.contains(0))
    }

    @Test func `equal texts have equal bytes, and others do not`() {
        #expect(Array(StoredText.encode("e\u{301}").utf8) == Array(StoredText.encode("\u{e9}").utf8))
        #expect(StoredText.encode("\u{0}") != StoredText.encode("0"))
        #expect(StoredText.encode("\u{FFFF}0") != StoredText.encode("\u{0}"))
    }
}
