public import CallModel

/// What of a record is left out, for it is stored and cannot be understood, as JSON.
public struct JSONDamage: Sendable {
    private let damage: [RecordDamage]

    /// - Parameter damage: what was met.
    public init(_ damage: [RecordDamage]) {
        self.damage = damage
    }

    /// The same in one line.
    static func words(_ damage: [RecordDamage]) -> String {
        damage.map(\.words).joined(separator: "; ")
    }

    /// `[{"part", "message"}]`, each part once; empty where all is there.
    public var value: JSONValue {
        var told: Set<RecordDamage.Part> = []
        return .array(
            damage.filter { told.insert($0.part).inserted }.map {
                ["part": .string($0.part.rawValue), "message": .string($0.words)]
            })
    }
}
