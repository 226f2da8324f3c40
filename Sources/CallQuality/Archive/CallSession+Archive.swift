import CallModel

extension CallSession {
    /// The state, to go on from later: about 4 KB for a call of four streams.
    public func archived() -> [UInt8] {
        var archive = ArchiveWriter(expectedBytes: 8_192)
        ArchiveHeader.current.write(to: &archive)
        archive.put(self)
        archive.put(bits: ArchiveSum.of(archive.bytes[...]))
        // In just as much memory as it takes: so it lies there until the next report.
        return archive.bytes.withUnsafeBufferPointer { Array($0) }
    }

    /// Takes up a state that ``archived()`` gave.
    /// - Returns: `nil` when the bytes are damaged, or of other rules or of another layout: the call's facts must then
    ///   be folded anew.
    public init?(archived bytes: [UInt8]) {
        let content = bytes.dropLast(ArchiveSum.byteCount)
        var archive = ArchiveReader(bytes)
        guard let header = try? ArchiveHeader(from: &archive), header == .current,
            let session = try? CallSession(from: &archive), archive.position == content.endIndex,
            (try? archive.bits()) == ArchiveSum.of(content)
        else { return nil }
        self = session
    }
}

/// What an archive begins with. It tells those that this program can read from all others.
struct ArchiveHeader: Archivable, Equatable {
    /// The order of the members. To be raised with every change of what is written.
    private static let layout = 19

    var layout: Int
    var rules: Int
    var names: Int64

    static let current = ArchiveHeader(
        layout: layout, rules: ScoreModel.rulesVersion, names: Int64(bitPattern: ArchiveNames.mark.rawValue))

    init(layout: Int, rules: Int, names: Int64) {
        self.layout = layout
        self.rules = rules
        self.names = names
    }

    func write(to archive: inout ArchiveWriter) { archive.put(layout, rules, names) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { (layout, rules, names) = try archive.get() }
}

/// Tells bytes that were damaged: figures made of them would be wrong, or no numbers at all.
enum ArchiveSum {
    static let byteCount = 8

    /// FNV-1a by words of eight bytes.
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { buffer in
            var sum: UInt64 = 0xcbf2_9ce4_8422_2325
            var offset = 0
            while offset + 8 <= buffer.count {
                let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                sum = (sum ^ word) &* 0x100_0000_01b3
                sum ^= sum >> 32
                offset += 8
            }
            for byte in buffer[offset...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return sum
        }
    }
}
