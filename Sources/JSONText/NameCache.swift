/// The names of members that a text has had so far, and where: the last of each hash.
struct NameCache {
    private struct Entry {
        var range: Range<Int>
        var name: String
    }

    private static let count = 512
    private var entries: [Entry?] = []

    /// The name that these bytes spell; `nil` when it is not kept.
    func name(hash: UInt32, _ range: Range<Int>, in bytes: [UInt8]) -> String? {
        guard !entries.isEmpty, let entry = entries[Self.place(of: hash)], entry.range.count == range.count else {
            return nil
        }
        for offset in 0..<range.count
        where bytes[entry.range.lowerBound + offset] != bytes[range.lowerBound + offset] { return nil }
        return entry.name
    }

    mutating func keep(_ name: String, hash: UInt32, _ range: Range<Int>) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.count) }
        entries[Self.place(of: hash)] = Entry(range: range, name: name)
    }

    private static func place(of hash: UInt32) -> Int { Int(hash ^ hash >> 16) % count }
}
