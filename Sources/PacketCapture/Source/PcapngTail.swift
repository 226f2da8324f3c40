/// What the blocks behind the last frame of a pcapng file say of what was dropped while it was captured.
///
/// Programs write Interface Statistics Blocks when a capture ends
/// ([draft-ietf-opsawg-pcapng §4.6](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng#section-4.6)). They are read
/// before the frames, from the end: each block has its length there, too.
struct PcapngTail {
    /// So many bytes are looked at.
    static let mostBytes = 1 << 16

    /// What was dropped on all interfaces; nil where no block tells.
    private(set) var statistics: CaptureStatistics?
    private let bytes: [UInt8]
    private let isBig: Bool
    /// The counts of an interface are the last ones that were written.
    private var told: Set<UInt32> = []

    /// - Parameters:
    ///   - bytes: The last bytes of a file.
    ///   - isBig: Whether its numbers have their first byte first.
    init(_ bytes: [UInt8], isBig: Bool) {
        self.bytes = bytes
        self.isBig = isBig
        var end = bytes.count
        while let start = blockStart(before: end), isBehindFrames(word(start)) {
            if word(start) == Self.statisticsBlock { take(start..<end) }
            end = start
        }
    }

    private static let statisticsBlock: UInt32 = 5

    /// Whether blocks of a type can lie behind the last frame of a section: neither frames nor what is needed to read them.
    private func isBehindFrames(_ type: UInt32) -> Bool {
        switch type {
        case 1, 2, 3, 6, 0x0A0D_0D0A: false
        default: true
        }
    }

    private func blockStart(before end: Int) -> Int? {
        guard end >= PcapngBlocks.leastLength else { return nil }
        let length = Int(word(end - 4))
        guard length % 4 == 0, (PcapngBlocks.leastLength...end).contains(length), word(end - length + 4) == length
        else {
            return nil
        }
        return end - length
    }

    /// Adds what a statistics block counts: its interface, a time of eight bytes, and options.
    private mutating func take(_ block: Range<Int>) {
        let end = block.upperBound - 4
        var offset = block.lowerBound + 20
        guard offset <= end, told.insert(word(block.lowerBound + 8)).inserted else { return }
        while offset + 4 <= end {
            let (code, length) = (half(offset), Int(half(offset + 2)))
            let value = offset + 4
            offset = value + (length + 3) & ~3
            guard code != 0, offset <= end else { return }
            guard length == 8 else { continue }
            note(code, count(value))
        }
    }

    /// The numbers of the options, by table 10 of the draft.
    private mutating func note(_ code: UInt16, _ count: Int) {
        var statistics = self.statistics ?? CaptureStatistics()
        switch code {
        case 4: statistics.received += count
        case 5: statistics.droppedByInterface += count
        case 7: statistics.droppedByKernel += count
        default: return
        }
        // That frames came says nothing of those that did not.
        if code != 4 || self.statistics != nil { self.statistics = statistics }
    }

    /// A count of eight bytes; what no interface can have counted, as less.
    private func count(_ place: Int) -> Int {
        let (first, second) = (UInt64(word(place)), UInt64(word(place + 4)))
        return Int(min(isBig ? first << 32 | second : second << 32 | first, 1 << 48))
    }

    private func word(_ place: Int) -> UInt32 {
        let (first, second) = (UInt32(half(place)), UInt32(half(place + 2)))
        return isBig ? first << 16 | second : second << 16 | first
    }

    private func half(_ place: Int) -> UInt16 {
        let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        return isBig ? first << 8 | second : second << 8 | first
    }
}
