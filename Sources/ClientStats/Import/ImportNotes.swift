/// What is odd about a file, each once, in order of appearance.
struct ImportNotes: Hashable, Sendable {
    /// So many are told; more help no one.
    static let mostTold = 100

    private var first: [String] = []
    /// What tells all of them apart: a number each, which is less than the file took to bring it about.
    private var known: Set<Int> = []

    mutating func add(_ words: String) {
        guard known.insert(words.hashValue).inserted, first.count < Self.mostTold else { return }
        first.append(words)
    }

    /// The first of them, and how many more there are.
    var told: [String] {
        let rest = known.count - first.count
        return rest > 0 ? first + ["and \(rest) more"] : first
    }
}
