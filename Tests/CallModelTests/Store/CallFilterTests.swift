import CallModel
import Testing

@Suite struct CallFilterTests {
    @Test(
        arguments: [
            ("opus", "audio/opus", true), ("OPUS", "audio/opus", true), ("audio/Opus", "AUDIO/opus", true),
            ("opu", "audio/opus", false), ("audio", "audio/opus", false), ("opus", "opus", true), ("", "audio/", true),
            ("b/c", "a/b/c", true), ("c", "a/b/c", false), ("É", "audio/é", false),
        ])
    func `a codec is meant by its type or its name`(codec: String, type: String, isMeant: Bool) {
        #expect(CallFilter.matches(codec: codec, type: type) == isMeant)
    }

    @Test func `a band narrows what is meant already, and never widens it`() {
        var filter = CallFilter(now: Timestamp(milliseconds: 0))
        filter.minimumScore = 85
        filter.narrow(to: .good)
        #expect(filter.minimumScore == 85 && filter.maximumScore == 89)
        filter.narrow(to: .bad)
        #expect(filter.minimumScore == 85 && filter.maximumScore == 59)
    }

    @Test(arguments: [
        ("Chrome", "Chrome 148", true), ("chrome 148", "Chrome 148", true), ("Chrome 14", "Chrome 148", false),
        ("Chrome", "Chromecast 1", false), ("Chrome", "Chrome", true), ("", "Chrome", false),
        ("148", "Chrome 148", false),
        ("Asterisk PBX", "Asterisk PBX 18.10", true), ("Asterisk", "Asterisk PBX 18.10", true),
    ])
    func `a program is meant by its whole name, or by words that it begins with`(
        client: String, name: String, isMeant: Bool
    ) {
        #expect(CallFilter.matches(client: client, name: name) == isMeant)
    }
}
