import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

@Suite struct SIPStreamTests {
    static let flow = Flow(source: SIPScript.caller, destination: SIPScript.callee)

    /// A stream of messages of all sizes, keep-alives between them.
    static let messages: [String] = (0..<12).map { number in
        SIPScript.text(
            .init(
                milliseconds: 0, start: number % 3 == 0 ? "SIP/2.0 200 OK" : "INVITE", sequence: "\(number) INVITE",
                sdp: number % 2 == 0 ? SIPScript.audio(4000 + number) : nil,
                headers: (0..<(number * 3)).map { "X-Filler-\($0): \(String(repeating: "f", count: 40))" }))
    }

    static let stream = Array(messages.joined(separator: "\r\n\r\n").utf8)

    static func segment(
        _ streams: inout SIPStreams, _ sequence: UInt32, _ bytes: some Sequence<UInt8>, flags: UInt8 = 0,
        missing: Int = 0, at seconds: Int64 = 0
    ) -> [UInt32] {
        let bytes = Array(bytes)
        return streams.take(
            flow: flow, sequence: sequence, acknowledgment: 0, flags: flags, payload: bytes,
            wireLength: bytes.count + missing, at: ArrivalTime(nanoseconds: seconds * 1_000_000_000)
        ).map(\.message.sequence)
    }

    @Test(arguments: 0..<60) func `segments in any order and number give the messages in order`(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let start = UInt32.random(in: 0...UInt32.max, using: &random)  // numbers wrap
        var pieces: [(sequence: UInt32, bytes: ArraySlice<UInt8>)] = []
        var offset = 0
        while offset < Self.stream.count {
            let end = min(Self.stream.count, offset + Int.random(in: 1...900, using: &random))
            let from = max(0, offset - Int.random(in: 0...40, using: &random))  // some are sent again in other pieces
            pieces.append((start &+ 1 &+ UInt32(from), Self.stream[from..<end]))
            offset = end
        }
        for index in pieces.indices where Bool.random(using: &random) {
            pieces.insert(pieces[index], at: min(pieces.count, index + Int.random(in: 1...6, using: &random)))
        }
        for index in pieces.indices {
            pieces.swapAt(index, min(pieces.count - 1, index + Int.random(in: 0...6, using: &random)))
        }
        var streams = SIPStreams()
        var found = Self.segment(&streams, start, [], flags: 2)
        for piece in pieces { found += Self.segment(&streams, piece.sequence, piece.bytes) }
        #expect(found == Array(0..<12))
        #expect(streams.gaps == 0 && streams.refused.isEmpty)
    }

    /// The capture begins in the midst of the connection, with the end of a message.
    @Test(arguments: [(1, [4, 5]), (2, [5])] as [(Int64, [UInt32])])
    func `the rest of the first message may come before its beginning`(_ seconds: Int64, _ found: [UInt32]) {
        let messages = Self.messages.map { Array($0.utf8) }
        let half = messages[4].count / 2
        var streams = SIPStreams()
        #expect(Self.segment(&streams, 100 &- UInt32(messages[3].count), messages[3].dropFirst(9)) == [])
        #expect(Self.segment(&streams, 100 + UInt32(half), messages[4].dropFirst(half)) == [])
        let first = Self.segment(&streams, 100, messages[4].prefix(half), at: seconds)
        let second = Self.segment(&streams, 100 + UInt32(messages[4].count), messages[5], at: 8)
        #expect(first + second + streams.finish().map(\.message.sequence) == found)
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func `a stream is cut into messages whatever the pieces`(_ size: Int) throws {
        var framer = SIPStreamFramer()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: Self.stream.count, by: size) {
            found += framer.take(Array(Self.stream[start..<min(Self.stream.count, start + size)]))
        }
        #expect(found == Self.messages.map { Array($0.utf8) })
        #expect(framer.discardedBytes == 0)
    }

    @Test func `what is lost is given up, and the next message is found`() {
        var streams = SIPStreams()
        let bytes = Array(Self.messages.map { Array($0.utf8) })
        let sizes = bytes.map { UInt32($0.count) }
        _ = Self.segment(&streams, 0, [], flags: 2)
        var found = Self.segment(&streams, 1, bytes[1])
        // Half of message 2 is lost; message 3 and later ones wait for it.
        found += Self.segment(&streams, 1 + sizes[1], bytes[2].prefix(100))
        found += Self.segment(&streams, 1 + sizes[1] + 200, bytes[2].dropFirst(200) + bytes[3])
        #expect(found == [1])
        found += Self.segment(&streams, 1 + sizes[1] + sizes[2] + sizes[3], bytes[4], at: 6)
        #expect(found == [1, 3, 4])
        #expect(streams.gaps == 1)
    }

    @Test func `what cannot be read is counted by reason, as over UDP`() {
        var probe = WireProbe(linkType: .ethernet)
        let bytes = [1, 2, 3].map { Array(Self.messages[$0].replacing("CSeq: 2", with: "X-Number: 2").utf8) }
        let start = 1 + UInt32(bytes[0].count + bytes[1].count)
        var found = Self.segment(&probe.sipStreams, 0, [], flags: 2)
        found += Self.segment(&probe.sipStreams, 1, bytes[0] + bytes[1])
        // Bytes are missing before the last message, for longer than anyone waits.
        found += Self.segment(&probe.sipStreams, start + 100, bytes[2], at: 1)
        found += Self.segment(&probe.sipStreams, start + 100 + UInt32(bytes[2].count), Self.messages[4].utf8, at: 7)
        #expect(found == [1, 3, 4])
        #expect(
            probe.figures.refused == ["SIP: CSeq is missing": 1, "SIP: bytes missing in a TCP stream": 1])
    }

    @Test func `missing bytes of other protocols are not counted`() {
        var streams = SIPStreams()
        _ = Self.segment(&streams, 0, [], flags: 2)
        _ = Self.segment(&streams, 1, Array("GET /index.html HTTP/1.1\r\n".utf8), missing: 40)
        #expect(streams.gaps == 0)
    }

    @Test func `a capture that cuts packets loses their messages only`() {
        var streams = SIPStreams()
        let first = Array(Self.messages[5].utf8)
        var found = Self.segment(&streams, 1, first.prefix(96), missing: first.count - 96)
        found += Self.segment(&streams, 1 + UInt32(first.count), Self.messages[6].utf8)
        #expect(found == [6])
    }

    @Test func `a connection is joined at a segment that begins a message`() {
        var streams = SIPStreams()
        var found = Self.segment(&streams, 50, Self.messages[1].utf8.dropFirst(30))
        #expect(streams.count == 0)
        found += Self.segment(&streams, 5000, Self.messages[2].utf8)
        #expect(found == [2])
    }

    @Test func `line ends before a message hide no connection`() {
        var streams = SIPStreams()
        #expect(Self.segment(&streams, 50, "\r\n\r\n".utf8) == [] && streams.count == 0)
        #expect(Self.segment(&streams, 5000, "\r\n\r\n\(Self.messages[2])".utf8) == [2])
    }

    @Test func `other protocols are not followed`() {
        var streams = SIPStreams()
        for other in [
            "GET /index.html HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "SSH-2.0-OpenSSH_9.2\r\n",
        ] {
            let found = Self.segment(&streams, 0, [], flags: 2) + Self.segment(&streams, 1, other.utf8)
            #expect(found == [] && streams.count == 0)
        }
    }

    @Test func `the number of connections is bounded`() {
        var streams = SIPStreams(maximumStreams: 64)
        for port in 0..<5000 {
            let flow = Flow(
                source: Endpoint(address: SIPScript.caller.address, port: UInt16(port)), destination: SIPScript.callee)
            _ = streams.take(
                flow: flow, sequence: 1, acknowledgment: 0, flags: 2, payload: [], wireLength: 0,
                at: ArrivalTime(nanoseconds: Int64(port)))
            #expect(streams.count <= 64)
        }
    }

    @Test func `a message without a length ends with its header`() {
        var framer = SIPStreamFramer()
        let bare = "OPTIONS sip:x SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\n\r\n"
        #expect(framer.take(Array((bare + "v=0\r\n" + bare).utf8)) == [Array(bare.utf8), Array(bare.utf8)])
        #expect(framer.discardedBytes == 5)
    }

    // MARK: WebSocket

    static func frame(_ payload: some Collection<UInt8>, first: UInt8, mask: [UInt8]?) -> [UInt8] {
        let flag: UInt8 = mask == nil ? 0 : 0x80
        let count = payload.count
        let length =
            count < 126
            ? [flag | UInt8(count)]
            : [flag | 126, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        let body = zip(0..., payload).map { index, byte in mask.map { byte ^ $0[index & 3] } ?? byte }
        return [first] + length + (mask ?? []) + body
    }

    static let handshake = "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nSec-WebSocket-Protocol: sip\r\n\r\n"

    @Test(arguments: [1, 5, 100_000]) func `messages in WebSocket frames are found, whole, masked and in parts`(
        _ size: Int
    ) {
        let mask: [UInt8] = [1, 2, 3, 4]
        let texts = Self.messages.map { Array($0.utf8) }
        let bytes =
            Array(Self.handshake.utf8) + Self.frame(texts[0], first: 0x81, mask: mask)
            + Self.frame(texts[1].prefix(50), first: 0x01, mask: mask) + Self.frame([9], first: 0x89, mask: mask)
            + Self.frame(texts[1].dropFirst(50), first: 0x80, mask: nil)
            + Self.frame(texts[2], first: 0xC1, mask: nil)  // compressed: cannot be read
            + Self.frame(texts[3], first: 0x82, mask: nil)
        var streams = SIPStreams()
        var found: [UInt32] = Self.segment(&streams, 0, [], flags: 2)
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += Self.segment(&streams, 1 + UInt32(start), bytes[start..<min(bytes.count, start + size)])
        }
        #expect(found == [0, 1, 3])
    }

    @Test func `every cut and every changed byte is taken or thrown away`() {
        let bytes =
            Array(Self.handshake.utf8) + Self.frame(Array(Self.messages[0].utf8), first: 0x81, mask: [1, 2, 3, 4])
        for sample in [bytes, Array(Self.stream.prefix(1500))] {
            for index in sample.indices {
                for value in [0, 0x0A, 0x0D, 0x7F, 0xFF] as [UInt8] {
                    var changed = sample
                    changed[index] = value
                    var framer = SIPStreamFramer()
                    _ = framer.take(Array(changed.prefix(index + 1)))
                    _ = framer.take(Array(changed.dropFirst(index + 1)))
                    #expect(framer.discardedBytes <= sample.count)
                }
            }
        }
    }
}
