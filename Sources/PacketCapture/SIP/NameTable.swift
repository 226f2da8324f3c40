/// Names that are told in upper and lower case alike (ASCII), and what each stands for.
///
/// Made once and kept: a `String` gives its bytes so slowly that comparing each message's names with some would take
/// most of the time of reading it.
struct NameTable<Value: Sendable>: Sendable {
    private struct Entry {
        var letters: Letters
        var value: Value
    }

    /// Shorter names first.
    private let entries: [Entry]
    /// Where the entries of each length begin: the length leaves few to compare.
    private let starts: [Int]

    /// - Parameter names: The names, of at most 16 letters; longer ones are never found.
    init(_ names: [(name: String, value: Value)]) {
        let sorted = names.sorted { $0.name.utf8.count < $1.name.utf8.count }
        entries = sorted.map { Entry(letters: Letters(Bytes($0.name.utf8)), value: $0.value) }
        starts = (0...(Letters.maximumCount + 1)).map { length in
            sorted.firstIndex { $0.name.utf8.count >= length } ?? sorted.count
        }
    }

    /// What a name stands for; `nil` for one that is not known.
    subscript(_ name: Bytes) -> Value? {
        guard name.count <= Letters.maximumCount else { return nil }
        let letters = Letters(name)
        for place in starts[name.count]..<starts[name.count + 1] where entries[place].letters == letters {
            return entries[place].value
        }
        return nil
    }
}

/// Up to 16 letters in small ones, to be compared at once with others of the same length.
private struct Letters: Equatable, Sendable {
    static let maximumCount = 16

    private var first: UInt64 = 0
    private var last: UInt64 = 0

    init(_ name: Bytes) {
        let bytes = name.span
        let half = min(8, bytes.count)
        for offset in 0..<half { first = first << 8 | UInt64(bytes[offset].lowercased) }
        for offset in half..<bytes.count { last = last << 8 | UInt64(bytes[offset].lowercased) }
    }
}
