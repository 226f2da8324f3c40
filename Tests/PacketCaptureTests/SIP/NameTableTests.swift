import Testing

@testable import PacketCapture

@Suite struct NameTableTests {
    private static let table = NameTable<Int>([
        ("Via", 1), ("v", 1), ("From", 2), ("Content-Encoding", 3), ("Content-Length", 4), ("CSeq", 5),
    ])

    @Test(
        arguments: [
            ("Via", 1), ("via", 1), ("VIA", 1), ("V", 1), ("from", 2), ("content-encoding", 3), ("CONTENT-LENGTH", 4),
            ("cSeQ", 5), ("", nil), ("Vi", nil), ("Viaa", nil), ("Fron", nil), ("Content-Encodinh", nil),
            ("content-encoding-", nil), ("a name of more than sixteen letters", nil), ("\u{0}via", nil),
            ("Content\rLength", nil),
        ] as [(String, Int?)])
    func `a name is known whatever its case and nothing else is`(name: String, value: Int?) {
        #expect(Self.table[Bytes(name.utf8)] == value)
        // Within other bytes it is the same name.
        #expect(Self.table[Bytes(" \(name):".utf8).dropFirst().dropLast()] == value)
    }

    @Test(arguments: [("RTP/SAVP", true), ("SAVPF", true), ("SAV", false), ("RTP/AVP", false), ("", false)])
    func `a word is found anywhere in a text`(text: String, isFound: Bool) {
        #expect(text.hasWord("SAVP") == isFound)
    }

    @Test func `folded lines are joined wherever they stand`() {
        let text = "Via: a\r\nSubject: one\r\n two\r\n\tthree  \r\n \r\nFrom:\r\n <x>\r\nTo: b\r\n c\r\n\r\nbody"
        let fields = SIPFields(Bytes("INVITE\r\n\(text)".utf8).dropFirst(8))
        let read = fields.fields.map {
            "\(fields.text[$0.name].text()): \(fields.text[$0.value].text())"
        }
        #expect(read == ["Via: a", "Subject: one two three", "From: <x>", "To: b c"])
        #expect(fields.body.text() == "body")
        #expect(fields[.from]?.text() == "<x>")
        #expect(fields.first("subject")?.text() == "one two three")
        #expect(fields[.reason] == nil)
    }

    @Test func `thousands of folded lines take no more room than the message`() {
        let lines = String(repeating: "\r\n x", count: 15_000)
        let fields = SIPFields(Bytes("Subject: a\(lines)\r\nX-A: b\(lines)\r\n\r\n".utf8))
        #expect(fields.fields.map(\.value.count) == [8193, 8193])
        #expect(fields.text.count < 2 * (30 + 2 * lines.utf8.count))
    }
}
