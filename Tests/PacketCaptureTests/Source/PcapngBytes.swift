/// Builds the blocks of a section of a pcapng file for tests, after
/// [the draft](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng).
struct PcapngBytes {
    typealias Bytes = [UInt8]

    var isBig = false

    /// A section header.
    func section(major: Int = 1) -> Bytes {
        block(0x0A0D_0D0A, word(0x1A2B_3C4D) + half(major) + half(0) + Bytes(repeating: 0xFF, count: 8))
    }

    /// An interface description; the options are whole ones, see ``option(_:_:)``.
    func interface(_ linkType: Int, snapLength: Int = 65_535, options: Bytes = []) -> Bytes {
        block(1, half(linkType) + half(0) + word(snapLength) + options)
    }

    func option(_ code: Int, _ value: Bytes) -> Bytes {
        half(code) + half(value.count) + value + padding(value)
    }

    /// `if_tsresol`.
    func resolution(_ value: UInt8) -> Bytes { option(9, [value]) }

    /// `if_tsoffset`, in seconds.
    func offset(_ seconds: Int) -> Bytes { option(14, int(seconds, 8)) }

    /// An enhanced packet block, with `ticks` as its time.
    func frame(_ bytes: Bytes, on interface: Int = 0, ticks: Int, wireLength: Int? = nil) -> Bytes {
        block(6, word(interface) + stamp(ticks) + lengths(bytes, wireLength) + bytes + padding(bytes) + option(0, []))
    }

    /// An obsolete packet block, of which 7 packets before it were dropped.
    func obsoleteFrame(_ bytes: Bytes, on interface: Int = 0, ticks: Int, wireLength: Int? = nil) -> Bytes {
        block(2, half(interface) + half(7) + stamp(ticks) + lengths(bytes, wireLength) + bytes)
    }

    /// A simple packet block.
    func simpleFrame(_ bytes: Bytes, wireLength: Int? = nil) -> Bytes {
        block(3, word(wireLength ?? bytes.count) + bytes)
    }

    /// An interface statistics block, of these options of eight bytes.
    func statistics(of interface: Int = 0, _ counts: [(code: Int, count: Int)]) -> Bytes {
        let options = counts.flatMap { option($0.code, int($0.count, 8)) } + option(0, [])
        return block(5, word(interface) + stamp(1) + options)
    }

    func block(_ type: Int, _ body: Bytes) -> Bytes {
        let length = word(12 + body.count + padding(body).count)
        return word(type) + length + body + padding(body) + length
    }

    private func stamp(_ ticks: Int) -> Bytes { word(ticks >> 32) + word(ticks) }

    private func lengths(_ bytes: Bytes, _ wireLength: Int?) -> Bytes {
        word(bytes.count) + word(wireLength ?? bytes.count)
    }

    private func padding(_ bytes: Bytes) -> Bytes { Bytes(repeating: 0, count: -bytes.count & 3) }

    private func half(_ value: Int) -> Bytes { int(value, 2) }

    private func word(_ value: Int) -> Bytes { int(value, 4) }

    private func int(_ value: Int, _ size: Int) -> Bytes {
        let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBig ? little.reversed() : little
    }
}
