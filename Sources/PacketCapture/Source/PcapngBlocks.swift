import RTPMeter

/// Why there is no further frame in a pcapng file.
enum PcapngEnd: Error, Hashable {
    case endOfFile
    /// The file ends inside a block.
    case truncated
    /// A block contradicts itself; how.
    case damaged(String)
}

/// An interface that frames of a pcapng file were captured on.
struct PcapngInterface: Hashable {
    /// The number of its link type; see [the list](https://www.tcpdump.org/linktypes.html).
    var linkNumber: UInt16
    /// The most bytes that were captured of a frame; 0 when there was no limit.
    var snapLength: UInt32
    var clock = PcapngClock()

    /// What its frames begin with; nil for what cannot be decoded.
    var linkType: LinkType? { LinkType(rawValue: Int32(linkNumber)) }
}

/// A frame in a block.
struct PcapngFrame: Hashable {
    var interface: PcapngInterface
    /// Where in the block lies what was captured of it.
    var bytes: Range<Int>
    var wireLength: UInt32
    var time: ArrivalTime
}

/// What the blocks of a pcapng file say, one after the other: the format without the reading of a file.
///
/// The format is described in
/// [an Internet draft](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng). Blocks that hold neither frames
/// nor what is needed to read them are passed over.
struct PcapngBlocks {
    /// Bytes of the shortest block there can be: its type, and its length twice. A section header tells its byte order
    /// in the first so many bytes.
    static let leastLength = 12
    /// The longest block that is read, as of libpcap.
    private static let greatestLength = 16 << 20

    /// The numbers of the blocks that are read, by section 4 of the draft.
    private enum BlockType {
        static let interface: UInt32 = 1
        static let obsoletePacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6
        /// The same in either byte order.
        static let sectionHeader: UInt32 = 0x0A0D_0D0A
    }

    /// The interfaces of the section, by their number in it.
    private var interfaces: [PcapngInterface] = []
    /// What libpcap does not read about the blocks so far, which is why the file is read without it; nil if it does.
    private(set) var obstacle: String?
    /// The byte order of the section; nil before the first one.
    private(set) var isBig: Bool?
    private var firstInterface: PcapngInterface?

    /// What frames of the first interface that can be decoded begin with; nil if none can.
    var linkType: LinkType? { interfaces.lazy.compactMap(\.linkType).first }

    /// The number of ``linkType``, or that of the first interface where none can be decoded; nil before the first interface.
    var linkNumber: Int32? { linkType?.rawValue ?? firstInterface.map { Int32($0.linkNumber) } }

    /// How many bytes a block has.
    /// - Parameter head: Its first ``leastLength`` bytes.
    /// - Returns: Its length, type and lengths included.
    /// - Throws: ``PcapngEnd/damaged(_:)``.
    mutating func length(of head: RawSpan) throws(PcapngEnd) -> Int {
        if head.networkOrder(at: 0, as: UInt32.self) == BlockType.sectionHeader { try beginSection(head) }
        guard isBig != nil else { throw .damaged("it does not begin with a section") }
        let length = Int(number(head, at: 4, as: UInt32.self))
        guard length % 4 == 0, Self.leastLength...Self.greatestLength ~= length else {
            throw .damaged("a block says that it has \(length) bytes")
        }
        return length
    }

    /// Takes a whole block in.
    /// - Parameter block: All of it, from its type to its second length.
    /// - Returns: The frame in it; nil if it is of another kind.
    /// - Throws: ``PcapngEnd/damaged(_:)``.
    mutating func take(_ block: RawSpan) throws(PcapngEnd) -> PcapngFrame? {
        let end = block.byteCount - 4
        let lengthAtEnd: UInt32 = number(block, at: end)
        guard Int(lengthAtEnd) == block.byteCount else {
            throw .damaged("a block has \(block.byteCount) bytes at its beginning, \(lengthAtEnd) at its end")
        }
        switch number(block, at: 0, as: UInt32.self) {
        case BlockType.sectionHeader:
            try checkVersion(block)
        case BlockType.interface:
            try addInterface(block)
        case BlockType.enhancedPacket:
            try require(28, of: block)
            return try packet(block, on: Int(number(block, at: 8, as: UInt32.self)))
        case BlockType.obsoletePacket:
            try require(28, of: block)
            return try packet(block, on: Int(number(block, at: 8, as: UInt16.self)))
        case BlockType.simplePacket:
            return try simplePacket(block)
        default:
            break
        }
        return nil
    }

    // MARK: Sections and interfaces

    private mutating func beginSection(_ head: RawSpan) throws(PcapngEnd) {
        let isBig: Bool
        switch head.networkOrder(at: 8, as: UInt32.self) {
        case 0x1A2B_3C4D: isBig = true
        case 0x4D3C_2B1A: isBig = false
        default: throw .damaged("a section has no byte order")
        }
        if let before = self.isBig, before != isBig { obstacle = obstacle ?? "its sections have different byte orders" }
        self.isBig = isBig
        interfaces = []
    }

    private func checkVersion(_ block: RawSpan) throws(PcapngEnd) {
        try require(24, of: block)
        let version: UInt16 = number(block, at: 12)
        guard version == 1 else { throw .damaged("a section is of version \(version) of the format, expected 1") }
    }

    private mutating func addInterface(_ block: RawSpan) throws(PcapngEnd) {
        try require(16, of: block)
        var interface = PcapngInterface(linkNumber: number(block, at: 8), snapLength: number(block, at: 12))
        try readOptions(of: block, into: &interface.clock)
        interfaces.append(interface)
        if let firstInterface {
            obstacle = obstacle ?? Self.obstacle(interface, after: firstInterface)
        } else {
            firstInterface = interface
        }
    }

    /// Why libpcap does not read a file with both interfaces; nil if it does.
    private static func obstacle(_ interface: PcapngInterface, after first: PcapngInterface) -> String? {
        guard interface.linkNumber == first.linkNumber else {
            return "its interfaces have different link types (\(first.linkNumber), \(interface.linkNumber))"
        }
        guard interface.snapLength == first.snapLength else {
            return "its interfaces have different snap lengths (\(first.snapLength), \(interface.snapLength))"
        }
        // libpcap has another number for this one, and finds that it differs from the one in the file.
        return interface.linkType == .rawFile ? "it has several interfaces of link type \(first.linkNumber)" : nil
    }

    /// Reads what the options of an interface say of its clock.
    private func readOptions(of block: RawSpan, into clock: inout PcapngClock) throws(PcapngEnd) {
        let end = block.byteCount - 4
        var offset = 16
        while offset < end {
            let code: UInt16 = number(block, at: offset)
            let length = Int(number(block, at: offset + 2, as: UInt16.self))
            let value = offset + 4
            offset = value + (length + 3) & ~3
            guard offset <= end else { throw .damaged("an option of an interface is longer than its block") }
            switch (code, length) {
            case (0, _): return
            case (9, 1):
                guard clock.setResolution(block.byte(at: value)) else {
                    throw .damaged("the time stamps of an interface have more digits than fit in them")
                }
            case (14, 8): clock.offset = number(block, at: value)
            case (9, _), (14, _): throw .damaged("an option of an interface has \(length) bytes")
            default: break
            }
        }
    }

    // MARK: Packets

    /// The frame of an enhanced packet block, or of an obsolete one, whose number of the interface has two bytes.
    private func packet(_ block: RawSpan, on index: Int) throws(PcapngEnd) -> PcapngFrame {
        let interface = try interface(index)
        let (high, low): (UInt32, UInt32) = (number(block, at: 12), number(block, at: 16))
        let captured = Int(number(block, at: 20, as: UInt32.self))
        try require(28 + captured, of: block)
        return PcapngFrame(
            interface: interface, bytes: 28..<28 + captured, wireLength: number(block, at: 24),
            time: interface.clock.time(ticks: UInt64(high) << 32 | UInt64(low)))
    }

    /// The frame of a simple packet block. It has no time, and is of the first interface of the section.
    private func simplePacket(_ block: RawSpan) throws(PcapngEnd) -> PcapngFrame {
        try require(12, of: block)
        let interface = try interface(0)
        let wireLength: UInt32 = number(block, at: 8)
        let captured = Int(interface.snapLength == 0 ? wireLength : min(wireLength, interface.snapLength))
        try require(12 + captured, of: block)
        return PcapngFrame(
            interface: interface, bytes: 12..<12 + captured, wireLength: wireLength, time: ArrivalTime(nanoseconds: 0))
    }

    private func interface(_ index: Int) throws(PcapngEnd) -> PcapngInterface {
        guard index < interfaces.count else {
            throw .damaged("a frame is of interface \(index), which the file does not describe")
        }
        return interfaces[index]
    }

    // MARK: Bytes

    /// Checks that so many bytes come before the length at the end of a block.
    private func require(_ bytes: Int, of block: RawSpan) throws(PcapngEnd) {
        guard bytes <= block.byteCount - 4 else { throw .damaged("a block is too short for what it holds") }
    }

    private func number<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan, at offset: Int, as: Value.Type = Value.self
    ) -> Value {
        let value: Value = bytes.networkOrder(at: offset)
        return isBig == true ? value : value.byteSwapped
    }
}
