import TestSupport
import Testing

@testable import ClientStats

/// What the first look at a text passes over holds nothing that would be taken out of it.
@Suite struct TextMarksTests {
    private static let parts = [
        "pwd", "icePwd", "ufrag", "Ufrag", "inline", "usernameFragment", "Password", "credential", "a=", "c=IN ", "d",
        "candidate:", ":", "=", " ", "\"", "'", "\\", "\\\"", "x", "secret", "\r\n", ".", "10.0.0.1", "::1", "é",
        "e\u{301}", "@", "turn:", "://", "Bearer ", "Digest ", "Abcdefg1", "Authorization", "access_token",
        "cameraName",
        "%3A", "%2E", "1-2-3-4", "-", "2001", ".77.5060", "\t", "[", "]", "<", ">", "</", "=>",
        "Optional(", ")",
    ]

    @Test func `no secret and no address is passed over`() {
        var random = RandomSource(seed: 11)
        var found = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...8, using: &random)
            let text = (0..<count).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            let marks = TextMarks(text)
            if SecretText.redact(text) != text {
                found += 1
                #expect(marks.mayHoldSecret, "\(text)")
            }
            if AddressText.redact(text, by: .cut) != text { #expect(marks.mayHoldAddress, "\(text)") }
            if text.contains("a=") || text.contains("c=IN ") || text.hasPrefix("candidate:") {
                #expect(marks.mayDescribeSession, "\(text)")
            }
        }
        #expect(found > 100)
    }

    @Test(arguments: [
        "minptime=10;useinbandfec=1", "level-asymmetry-allowed=1;packetization-mode=1", "AB:CD:EF", "opus",
    ])
    func `in usual texts there is nothing to seek`(text: String) {
        let marks = TextMarks(text)
        #expect(!marks.mayHoldSecret && !marks.mayDescribeSession)
    }
}
