import CallModel

/// Which records were met of which a part cannot be understood, so that each part is told once.
struct DamageLedger: Hashable, Sendable {
    private var found: [CallKey: Set<RecordDamage.Part>] = [:]
    private var mended: Set<CallKey> = []

    /// Records that are told apart; what is met of others is shown, and not told.
    private static let mostRecords = 10_000

    /// Records that cannot be read whole, as far as was met.
    var records: Int { found.count - mended.count }

    /// Whether a record of which a part could not be understood was derived anew since.
    func isMended(_ key: CallKey) -> Bool { mended.contains(key) }

    /// Takes in what was met of a record.
    /// - Returns: what of it is new since the program began.
    mutating func note(_ damage: [RecordDamage], of key: CallKey) -> [RecordDamage] {
        guard !damage.isEmpty, found[key] != nil || found.count < Self.mostRecords else { return [] }
        mended.remove(key)
        return damage.filter { found[key, default: []].insert($0.part).inserted }
    }

    /// Takes in that a record was derived anew: all its facts could be read, and all else was replaced.
    mutating func noteMended(_ key: CallKey) {
        if found[key] != nil { mended.insert(key) }
    }

    /// Takes in that a call was erased.
    mutating func forget(_ identity: CallIdentity) {
        found = found.filter { $0.key.identity != identity }
        mended = mended.filter { $0.identity != identity }
    }
}
