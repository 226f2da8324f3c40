/// A 64-bit hash of a fact's content (FNV-1a), the same in every process and on every machine.
///
/// It orders contradicting contents, so that the same one stands whatever arrived first. It is no protection
/// against a sender who wants a collision; all he could reach is his own call.
public struct ContentHash: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    public init(of text: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        rawValue = hash
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
