import JSONText
import Testing

@Suite struct JSONLinesTests {
    @Test func `leaves out blank lines and keeps their count`() {
        let lines = JSONLines.split(Array("{}\n\n  \r\n[1]\r\n3".utf8))
        #expect(
            Array(lines) == [
                JSONLines.Line(number: 1, range: 0..<2), JSONLines.Line(number: 4, range: 8..<12),
                JSONLines.Line(number: 5, range: 13..<14),
            ])
    }

    @Test func `a line is found without looking for those behind it`() {
        var lines = JSONLines.split(Array("1\n\n2".utf8))
        #expect(lines.next() == JSONLines.Line(number: 1, range: 0..<1))
        #expect(lines.next() == JSONLines.Line(number: 3, range: 3..<4))
        #expect(lines.next() == nil)
        #expect(lines.next() == nil)
    }

    @Test(arguments: ["", "\n", " \r\n\t"]) func `finds no line in white space`(text: String) {
        #expect(Array(JSONLines.split(Array(text.utf8))) == [])
        #expect(JSONLines.isBlank(text.utf8))
    }
}
