/// Names of members by hash, so that a name that is met over and over is not made anew each time.
struct NameTable: Sendable {
    /// A name lies in one of so many places from that of its hash on.
    private static let reach = 4
    private let size: Int
    /// The hash of the name in each place; 0 where there is none.
    private var hashes: [UInt32] = []
    private var names: [String] = []

    /// - Parameter size: how many places there are, once a name is kept.
    init(size: Int) { self.size = size }

    /// How many places there are; 0 while nothing is kept.
    var placeCount: Int { names.count }

    /// The name that these bytes spell, and its place; `nil` when it is not kept.
    func find(hash: UInt32, _ range: Range<Int>, of bytes: [UInt8]) -> (name: String, place: Int)? {
        guard !names.isEmpty else { return nil }
        let spelling = bytes.span.extracting(range)
        for step in 0..<Self.reach {
            let place = place(of: hash, step)
            guard hashes[place] != 0 else { return nil }
            if hashes[place] == hash, Self.are(spelling, names[place]) { return (names[place], place) }
        }
        return nil
    }

    /// Keeps a name, in place of another one where there is no room.
    mutating func keep(_ name: String) {
        if names.isEmpty {
            names = Array(repeating: "", count: size)
            hashes = Array(repeating: 0, count: size)
        }
        let hash = Self.hash(of: name.utf8Span.span)
        let free = (0..<Self.reach).first { hashes[place(of: hash, $0)] == 0 }
        let chosen = place(of: hash, free ?? 0)
        (hashes[chosen], names[chosen]) = (hash, name)
    }

    private func place(of hash: UInt32, _ step: Int) -> Int { (Int(hash >> 16) + step) % size }

    private static func are(_ bytes: Span<UInt8>, _ name: String) -> Bool {
        let spelling = name.utf8Span.span
        guard spelling.count == bytes.count else { return false }
        for index in bytes.indices where bytes[index] != spelling[index] { return false }
        return true
    }

    /// Never 0. Of some of the bytes: a report has hundreds of names, and what has one hash is told apart by all of them.
    static func hash(of bytes: Span<UInt8>) -> UInt32 {
        guard let last = bytes.indices.last else { return 1 }
        var hash = UInt32(truncatingIfNeeded: bytes.count)
        for quarter in 0...4 {
            hash = (hash ^ UInt32(bytes[last * quarter / 4])) &* 0x0100_0193
        }
        return hash | 1
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
        var table = NameTable(size: 1_024)
        for name in names { table.keep(name) }
        self.table = table
    }
}
