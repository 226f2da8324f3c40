/// Names of members by hash, so that a name that is met over and over is not made anew each time.
struct NameTable: Sendable {
    private struct Entry {
        var hash: UInt32
        var name: String
    }

    private static let count = 1_024
    /// A name lies in one of so many places from that of its hash on.
    private static let reach = 4
    private var entries: [Entry?] = []

    /// How many places there are; 0 while nothing is kept.
    var placeCount: Int { entries.count }

    /// The name that these bytes spell, and its place; `nil` when it is not kept.
    func find(hash: UInt32, _ range: Range<Int>, of bytes: [UInt8]) -> (name: String, place: Int)? {
        guard !entries.isEmpty else { return nil }
        let spelling = bytes.span.extracting(range)
        for step in 0..<Self.reach {
            let place = Self.place(of: hash, step)
            guard let entry = entries[place] else { return nil }
            if entry.hash == hash, Self.are(spelling, entry.name) { return (entry.name, place) }
        }
        return nil
    }

    /// Keeps a name, in place of another one where there is no room.
    mutating func keep(_ name: String, hash: UInt32) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.count) }
        let free = (0..<Self.reach).first { entries[Self.place(of: hash, $0)] == nil }
        entries[Self.place(of: hash, free ?? 0)] = Entry(hash: hash, name: name)
    }

    private static func place(of hash: UInt32, _ step: Int) -> Int { (Int(hash ^ hash >> 16) + step) % count }

    private static func are(_ bytes: Span<UInt8>, _ name: String) -> Bool {
        let spelling = name.utf8Span.span
        guard spelling.count == bytes.count else { return false }
        for index in bytes.indices where bytes[index] != spelling[index] { return false }
        return true
    }
}

/// Names that the members of a text are likely to have. Those that a reader knows from the beginning cost it no memory, and
/// are the same text wherever they occur.
public struct JSONNames: Sendable {
    let table: NameTable

    /// No names.
    public static let none = JSONNames([])

    /// - Parameter names: at most some hundred are of use.
    public init(_ names: some Sequence<String>) {
        var table = NameTable()
        for name in names { table.keep(name, hash: NameHash(name).value) }
        self.table = table
    }
}

/// The hash of a name, taken in byte by byte (FNV-1a).
struct NameHash {
    private(set) var value: UInt32 = 0x811c_9dc5

    init() {}

    init(_ name: String) {
        for byte in name.utf8 { add(byte) }
    }

    @inline(__always)
    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
}
