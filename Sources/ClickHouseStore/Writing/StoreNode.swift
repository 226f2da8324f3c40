/// Who writes: what several nodes write at once has to be told apart.
struct StoreNode: Hashable, Sendable {
    /// Of one process at a time.
    let name: String
    /// The low bits of every version and number that the node gives.
    private let tag: UInt64

    private static let tagBits: UInt64 = 16

    init(_ name: String) {
        self.name = name
        // FNV-1a, folded: the same in every run.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        tag = max(1, (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & (1 << Self.tagBits - 1))
    }

    /// A version that no other row can have after it: what is gone stays gone, whoever writes at the same moment.
    func lastVersion(after earlier: UInt64) -> UInt64 {
        version(after: earlier) | 1 << 63
    }

    /// A version that is later than an earlier one, and earlier than any that a node gives after that.
    static func versionOfMerge(after earlier: UInt64) -> UInt64 {
        ((earlier >> tagBits) + 1) << tagBits
    }

    /// A version of a row that is later than an earlier one.
    func version(after earlier: UInt64) -> UInt64 {
        ((earlier >> Self.tagBits) + 1) << Self.tagBits | tag
    }

    /// The same, for the engine to compute: of each row's version in a column.
    func version(afterColumn column: String) -> String {
        "bitOr(bitShiftLeft(bitShiftRight(\(column), \(Self.tagBits)) + 1, \(Self.tagBits)), \(tag))"
    }

    /// A running number of a record that is higher than an earlier one, from 0.
    func number(after earlier: Int64) -> Int64 {
        Int64(clamping: version(after: UInt64(clamping: earlier)))
    }
}
