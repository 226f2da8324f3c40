import RTPMeter
import Testing

@Suite struct RTPHeaderTests {
    @Test func `every field of a plain packet`() throws {
        #expect(
            try header(Sample.plain)
                == RTPHeader(
                    payloadType: 96, hasMarker: true, sequenceNumber: 65534, timestamp: 0x89ab_cdef,
                    ssrc: 0xdead_beef, payload: 12..<16))
    }

    @Test func `contributing sources, extension and padding are taken off the payload`() throws {
        #expect(
            try header(Sample.everything)
                == RTPHeader(
                    payloadType: 111, sequenceNumber: 1, timestamp: 2, ssrc: 0, payload: 28..<33, paddingBytes: 3))
    }

    @Test func `a packet of padding only has an empty payload`() throws {
        let packet = try header(hex("a0 60 0001 00000002 00000003 000004"), wireLength: 15)
        #expect(packet.paddingBytes == nil)
        let whole = try header(hex("a0 60 0001 00000002 00000003 00000004"))
        #expect(whole.payload == 12..<12)
        #expect(whole.paddingBytes == 4)
    }

    /// SRTP encrypts the padding and its count, and sends a tag behind them.
    @Test(arguments: ["00", "05", "ff"])
    func `a count of padding that cannot be true leaves the payload alone`(count: String) throws {
        let packet = try header(hex("a0 60 0001 00000002 00000003 000000\(count)"))
        #expect(packet.paddingBytes == nil)
        #expect(packet.hasPadding)
        #expect(packet.payload == 12..<16)
    }

    @Test func `padding of an empty packet cannot be read`() throws {
        let packet = try header(hex("a0 60 0001 00000002 00000003"))
        #expect(packet.paddingBytes == nil)
        #expect(packet.payload == 12..<12)
    }

    @Test func `a packet whose tail was not captured keeps the lengths of the wire`() throws {
        let cut = try header(Array(Sample.everything.prefix(24)), wireLength: 36)
        #expect(cut.payload == 28..<36)
        #expect(cut.paddingBytes == nil)
    }

    @Test func `an extension whose length was not captured is taken for empty`() throws {
        let cut = try header(Array(Sample.everything.prefix(12)), wireLength: 36)
        #expect(cut.payload == 24..<36)
        #expect(cut.ssrc == 0)
    }

    @Test func `bytes beyond the length on the wire are not looked at`() throws {
        let packet = try header(Sample.everything + hex("09090909"), wireLength: 36)
        #expect(packet == (try header(Sample.everything)))
    }

    @Test(arguments: [
        (11, RTPHeaderError.truncated(.fixedHeader, needed: 12, found: 11)),
        (19, .truncated(.contributingSources, needed: 20, found: 19)),
        (23, .truncated(.headerExtension, needed: 24, found: 23)),
        (27, .truncated(.headerExtension, needed: 28, found: 27)),
        (-1, .truncated(.fixedHeader, needed: 12, found: -1)),
    ])
    func `a packet that is too short says inside of what it ends`(length: Int, error: RTPHeaderError) {
        #expect(throws: error) { try header(Sample.everything, wireLength: length) }
    }

    @Test(arguments: [0, 1, 3] as [UInt8]) func `another version is not RTP`(version: UInt8) {
        let bytes = [version << 6] + Sample.plain.dropFirst()
        #expect(throws: RTPHeaderError.unsupportedVersion(version)) { try header(bytes) }
    }

    @Test func `errors say what, where and what was expected`() {
        #expect(
            RTPHeaderError.unsupportedVersion(0).description
                == "RTP version 0 at byte 0, expected 2; probably not RTP (DTLS, STUN and ZRTP share its ports)")
        #expect(
            RTPHeaderError.truncated(.headerExtension, needed: 28, found: 27).description
                == "the RTP packet ends at byte 27, inside its header extension, which needs 28 bytes")
    }
}
