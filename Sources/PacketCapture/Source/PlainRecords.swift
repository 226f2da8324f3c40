/// How the records of a classic capture file lie in it, when they are of the plain kind that ``FrameSource`` reads
/// without libpcap.
///
/// The format is described in
/// [an Internet draft](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcap). Everything in it that libpcap
/// treats in a special way makes this nil, and the file is left to libpcap.
@usableFromInline struct PlainRecords: Hashable, Sendable {
    /// Bytes of a file before the first record.
    static let fileHeaderLength = 24
    /// Bytes of a record before the frame.
    @usableFromInline static let headerLength = 16
    /// libpcap's largest snap length for the link types there are; it refuses longer frames.
    private static let greatestSnapLength: UInt32 = 262_144

    /// Whether numbers are in the other byte order than this machine's.
    @usableFromInline let isSwapped: Bool
    /// 1 in files with nanoseconds, 1,000 in those with microseconds.
    @usableFromInline let nanosecondsPerTick: Int64
    /// The most bytes of a frame. libpcap cuts longer ones.
    @usableFromInline let snapLength: UInt32

    /// Stands for the layout of a file without plain records; nothing is read by it.
    static let none = PlainRecords(isSwapped: false, nanosecondsPerTick: 1, snapLength: 0)

    private init(isSwapped: Bool, nanosecondsPerTick: Int64, snapLength: UInt32) {
        self.isSwapped = isSwapped
        self.nanosecondsPerTick = nanosecondsPerTick
        self.snapLength = snapLength
    }

    /// A number of the file, from how it lies in memory.
    @inlinable
    @inline(__always)
    func number(_ raw: UInt32) -> UInt32 { isSwapped ? raw.byteSwapped : raw }

    /// The layout of a file that libpcap has opened; nil when its records are not plain.
    /// - Parameters:
    ///   - header: The first bytes of the file.
    ///   - linkType: What libpcap says the frames begin with.
    init?(header: [UInt8], linkType: LinkType) {
        guard header.count >= Self.fileHeaderLength else { return nil }
        func number(_ offset: Int, _ length: Int) -> UInt32 {
            let bytes = header[offset..<offset + length]
            return
                (isBig ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        let isBig = header[0] == 0xA1
        switch number(0, 4) {
        case 0xA1B2_C3D4: nanosecondsPerTick = 1000
        case 0xA1B2_3C4D: nanosecondsPerTick = 1
        default: return nil
        }
        // Earlier versions have the two lengths of a record in another order.
        guard number(4, 2) == 2, number(6, 2) == 4 else { return nil }
        // 0 stands for the greatest there is.
        snapLength = number(16, 4)
        guard 1...Self.greatestSnapLength ~= snapLength else { return nil }
        // The upper bits say how long the check sequence is that ends each frame.
        guard number(20, 4) <= UInt16.max else { return nil }
        isSwapped = isBig == (UInt32(littleEndian: 1) == 1)
        // libpcap turns numbers inside these frames into the machine's order.
        if isSwapped, linkType == .linuxCooked || linkType == .linuxCooked2 { return nil }
    }
}
