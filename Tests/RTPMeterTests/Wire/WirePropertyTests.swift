import RTPMeter
import TestSupport
import Testing

/// Whatever the bytes are: no trap, nothing out of bounds, an answer in the end.
@Suite struct WirePropertyTests {
    /// Reads the bytes as everything, and holds the answers against what must be true of any.
    private func read(_ bytes: [UInt8], wireLength: Int) {
        if let packet = try? header(bytes, wireLength: wireLength) {
            #expect(packet.payload.lowerBound >= 12 && packet.payload.upperBound <= wireLength)
            #expect(packet.payload.upperBound + (packet.paddingBytes ?? 0) == wireLength)
            #expect(packet.payloadType < 128)
        }
        _ = packetClass(bytes, wireLength: wireLength)
        for isEncrypted in [false, true] {
            let answer = compound(bytes, wireLength: wireLength, isEncrypted: isEncrypted)
            #expect(!answer.packets.isEmpty || answer.error != nil)
            if let error = answer.error {
                #expect(0...max(0, wireLength) ~= error.offset)
                #expect(!error.description.isEmpty)
            }
        }
        if fitsExactly(bytes, wireLength: wireLength) {
            #expect(packetClass(bytes, wireLength: wireLength) != .rtp)
        }
    }

    @Test(arguments: Sample.rtp + Sample.control) func `cut at every length`(packet: [UInt8]) {
        for length in 0...packet.count {
            let cut = Array(packet.prefix(length))
            read(cut, wireLength: length)
            read(cut, wireLength: packet.count)
            read(packet, wireLength: length)
        }
    }

    @Test(arguments: Sample.rtp + Sample.control) func `every byte set to everything`(packet: [UInt8]) {
        for place in packet.indices {
            for value in UInt8.min...UInt8.max {
                var changed = packet
                changed[place] = value
                read(changed, wireLength: packet.count)
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `bytes at random behind a likely start`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<300 {
            let length = Int.random(in: 0...200, using: &random)
            var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Small lengths and known types, so that more than the first header is read.
            for place in stride(from: 0, to: length - 3, by: 4) where Bool.random(using: &random) {
                bytes.replaceSubrange(
                    place..<place + 4,
                    with: [
                        UInt8.random(in: 0x80...0xbf, using: &random), UInt8.random(in: 200...207, using: &random), 0,
                        UInt8.random(in: 0...12, using: &random),
                    ])
            }
            read(bytes, wireLength: length + Int.random(in: -4...40, using: &random))
        }
    }

    @Test func `more bytes never take away what fewer gave`() {
        for packet in Sample.control {
            var before = 0
            for length in 0...packet.count {
                let count = compound(Array(packet.prefix(length)), wireLength: packet.count).packets.count
                #expect(count >= before)
                before = count
            }
        }
    }
}
