import JSONText
import Testing

@Suite struct JSONLinesTests {
    @Test func `leaves out blank lines and keeps their count`() {
        let lines = JSONLines.split(Array("{}\n\n  \r\n[1]\r\n3".utf8))
        #expect(
            lines == [
                JSONLines.Line(number: 1, range: 0..<2), JSONLines.Line(number: 4, range: 8..<12),
                JSONLines.Line(number: 5, range: 13..<14),
            ])
    }

    @Test(arguments: ["", "\n", " \r\n\t"]) func `finds no line in white space`(text: String) {
        #expect(JSONLines.split(Array(text.utf8)).isEmpty)
        #expect(JSONLines.isBlank(text.utf8))
    }
}
