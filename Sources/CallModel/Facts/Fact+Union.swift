extension Fact {
    /// The facts in order of ``key``, those with the same key united.
    public static func united(_ facts: [Fact]) -> [Fact] {
        Dictionary(facts.map { ($0.key, $0) }) { $0.merged(with: $1) }.sorted { $0.key < $1.key }.map(\.value)
    }
}
