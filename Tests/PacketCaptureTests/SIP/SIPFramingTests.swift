import Testing

@testable import PacketCapture

/// Streams that are damaged, or made to do harm.
@Suite struct SIPFramingTests {
    /// The messages of a stream that comes in pieces of `size` bytes.
    private func messages(_ bytes: some Collection<UInt8>, inPiecesOf size: Int) -> [String] {
        var framer = SIPStreamFramer()
        var rest = Array(bytes)[...]
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            found += framer.take(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let options = "OPTIONS sip:x SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\n\r\n"

    @Test(arguments: [1, 7, 100_000]) func `a frame too long for signalling ends a connection and nothing else`(
        _ size: Int
    ) {
        let message = SIPStreamTests.messages[0]
        let bytes =
            Array(SIPStreamTests.handshake.utf8) + SIPStreamTests.frame(Array(message.utf8), first: 0x81, mask: nil)
            + Array(repeating: 0xFF, count: 40)
        #expect(messages(bytes, inPiecesOf: size) == [message])
        var streams = SIPStreams()
        var found = SIPStreamTests.segment(&streams, 0, [], flags: 2)
        found += SIPStreamTests.segment(&streams, 1, bytes)
        #expect(found == [0] && streams.count == 0)
    }

    @Test(arguments: [1, 2, 3, 7, 50, 1000]) func `the rest of a thrown away line begins no message`(_ size: Int) {
        // The body that no length announced is no header; only its last line begins a message, all of it.
        let body = "v=0\r\ns=(one) BYE sip:x SIP/2.0\r\n\r\n=== BYE sip:x SIP/2.0\r\n=SIP/2.0 200 OK\r\n"
        let stream = Self.options + body + Self.options
        #expect(messages(stream.utf8, inPiecesOf: size) == [Self.options, Self.options])
    }

    @Test func `after a gap a message is found at the first byte, and at the next line`() {
        var framer = SIPStreamFramer()
        #expect(framer.take(Array((Self.options + "v=0\r\n\r\n=cut").utf8)).count == 1)
        framer.skipGap()
        #expect(framer.take(Array(Self.options.utf8)).count == 1)
        framer.skipGap()
        #expect(framer.take(Array(("=cut\r\n" + Self.options).utf8)).count == 1)
    }

    @Test(arguments: [1000, 1_000_000], [0, 1, 2]) func `a header without an end is given up and the next found`(
        _ size: Int, _ endless: Int
    ) {
        let filler = String(repeating: "X-Filler: 1\r\n", count: 7000)
        let headers = String(repeating: "OPTIONS sip:x SIP/2.0\r\n" + filler, count: endless)
        #expect(messages((Self.options + headers + Self.options).utf8, inPiecesOf: size).last == Self.options)
        #expect(messages((headers + Self.options).utf8, inPiecesOf: size) == [Self.options])
    }

    @Test(arguments: [1, 1000, 1_000_000]) func `a body that is too long is passed over to its end`(_ size: Int) {
        let body = String(repeating: "x", count: 70_000) + "\r\n" + Self.options + "x"
        let long = Self.options.replacing("\r\n\r\n", with: "\r\nContent-Length: \(body.utf8.count)\r\n\r\n") + body
        let stream = Array((Self.options + long + long + Self.options).utf8)
        #expect(messages(stream, inPiecesOf: size) == [Self.options, Self.options])
        var streams = SIPStreams()
        var found: [UInt32] = []
        for start in stride(from: 0, to: stream.count, by: 1400) {
            found += SIPStreamTests.segment(&streams, UInt32(start), stream[start...].prefix(1400))
        }
        #expect(streams.refused == ["longer than 64 KiB": 2] && streams.gaps == 0)
        #expect(found == [1, 1])
    }

    @Test func `a length that no signalling has hides no message`() {
        let long = Self.options.replacing("\r\n\r\n", with: "\r\nContent-Length: 4294967295\r\n\r\nx\r\n")
        #expect(messages((long + Self.options).utf8, inPiecesOf: 1000) == [Self.options])
    }

    @Test(arguments: [1, 3, 1000]) func `a start line begins with its method, which a space ends`(_ size: Int) {
        for line in [" OPTIONS sip:x SIP/2.0", "\tOPTIONS sip:x SIP/2.0", "OPTIONS\tsip:x SIP/2.0", " SIP/2.0 200 OK"] {
            let stream = line + "\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\n\r\n" + Self.options
            #expect(messages(stream.utf8, inPiecesOf: size) == [], "\(line)")
            #expect(throws: SIPMessageError.self) { try SIPMessageTests.parse(stream) }
        }
        let padded = Self.options.replacing("SIP/2.0", with: "SIP/2.0 \t ")
        #expect(messages(padded.utf8, inPiecesOf: size) == [padded])
    }
}
