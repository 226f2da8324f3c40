/// Names that are told in upper and lower case alike (ASCII), and what each stands for.
///
/// Made once and kept: a `String` gives its bytes so slowly that comparing each message's names with some would take
/// most of the time of reading it.
struct NameTable<Value: Sendable>: Sendable {
    private struct Entry {
        var letters: [UInt8]
        var value: Value
    }

    /// By their length, which leaves few to compare.
    private let entries: [[Entry]]

    init(_ names: [(name: String, value: Value)]) {
        let all = names.map { Entry(letters: $0.name.utf8.map(\.lowercased), value: $0.value) }
        let longest = all.map(\.letters.count).max() ?? 0
        entries = (0...longest).map { length in all.filter { $0.letters.count == length } }
    }

    /// What a name stands for; `nil` for one that is not known.
    subscript(_ name: Bytes) -> Value? {
        guard name.count < entries.count else { return nil }
        for entry in entries[name.count] where name.hasCaseless(entry.letters, at: name.startIndex) {
            return entry.value
        }
        return nil
    }
}
