import JSONText
import Testing

@Suite struct NameIndexTests {
    /// Many of them alike in the bytes that are looked at.
    private let names = (0..<400).map { "name\($0 % 7)of\($0 / 7)s" } + ["", "é", "x"]

    @Test func `every name has its number`() {
        let index = NameIndex(names)
        #expect(index.names == names)
        #expect(names.map(index.number(of:)) == Array(names.indices))
    }

    @Test(arguments: ["name", "y", "e\u{301}", "name0of0"]) func `others have none`(name: String) {
        #expect(NameIndex(names).number(of: name) == nil)
        #expect(NameIndex([]).number(of: name) == nil)
    }
}
