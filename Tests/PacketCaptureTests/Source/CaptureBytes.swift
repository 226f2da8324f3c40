/// Builds capture files for tests: pcap in its four flavours, and pcapng.
enum CaptureBytes {
    typealias Bytes = [UInt8]

    struct Frame {
        var bytes: Bytes
        var nanoseconds: Int64
        var wireLength: Int?
    }

    /// Three frames with a time that needs nanoseconds, the second cut by the snap length.
    static let frames = [
        Frame(bytes: FrameSample.inner, nanoseconds: 1_700_000_000_123_456_000),
        Frame(bytes: Bytes(FrameSample.inner.prefix(60)), nanoseconds: 1_700_000_000_143_456_000, wireLength: 200),
        Frame(bytes: FrameSample.inner, nanoseconds: 1_700_000_001_000_000_000),
    ]

    private static func int(_ value: Int, _ size: Int, isBig: Bool) -> Bytes {
        let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBig ? little.reversed() : little
    }

    /// [The pcap format](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcap).
    static func pcap(
        _ frames: [Frame] = frames, linkType: Int = 1, isBig: Bool = false, isNano: Bool = false
    ) -> Bytes {
        func word(_ value: Int) -> Bytes { int(value, 4, isBig: isBig) }
        func half(_ value: Int) -> Bytes { int(value, 2, isBig: isBig) }
        let header =
            word(isNano ? 0xA1B2_3C4D : 0xA1B2_C3D4) + half(2) + half(4) + word(0) + word(0) + word(65_535)
            + word(linkType)
        return frames.reduce(header) { file, frame in
            let fraction = Int(frame.nanoseconds % 1_000_000_000) / (isNano ? 1 : 1000)
            return file + word(Int(frame.nanoseconds / 1_000_000_000)) + word(fraction) + word(frame.bytes.count)
                + word(frame.wireLength ?? frame.bytes.count) + frame.bytes
        }
    }

    /// [The pcapng format](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng), times in microseconds.
    static func pcapng(_ frames: [Frame] = frames, linkType: Int = 1, isBig: Bool = false) -> Bytes {
        func word(_ value: Int) -> Bytes { int(value, 4, isBig: isBig) }
        func half(_ value: Int) -> Bytes { int(value, 2, isBig: isBig) }
        func block(_ type: Int, _ body: Bytes) -> Bytes {
            let padded = body + Bytes(repeating: 0, count: (4 - body.count % 4) % 4)
            return word(type) + word(12 + padded.count) + padded + word(12 + padded.count)
        }
        let section = block(0x0A0D_0D0A, word(0x1A2B_3C4D) + half(1) + half(0) + Bytes(repeating: 0xFF, count: 8))
        let interface = block(1, half(linkType) + half(0) + word(65_535))
        return frames.reduce(section + interface) { file, frame in
            let micros = Int(frame.nanoseconds / 1000)
            let body =
                word(0) + word(micros >> 32) + word(micros & 0xFFFF_FFFF) + word(frame.bytes.count)
                + word(frame.wireLength ?? frame.bytes.count)
            return file + block(6, body + frame.bytes)
        }
    }
}
