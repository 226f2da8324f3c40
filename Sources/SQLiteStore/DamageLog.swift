import CallModel

/// What was met of one record that cannot be understood, once a part.
struct DamageLog {
    private(set) var found: [RecordDamage] = []

    /// - Returns: what `body` does; `nil` when it meets a value that cannot be understood.
    /// - Throws: what `body` throws else: of a database that cannot be read nothing can be.
    mutating func reading<Value>(_ part: RecordDamage.Part, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch CallStoreError.damaged(let place, let reason) {
            note(RecordDamage(part, of: place, reason: reason))
            return nil
        }
    }

    mutating func note(_ damage: RecordDamage) {
        if !found.contains(where: { $0.part == damage.part }) { found.append(damage) }
    }

    /// For those who need all: - Throws: ``CallStoreError/damaged(_:reason:)``.
    func check() throws {
        if let first = found.first { throw first.error }
    }
}
