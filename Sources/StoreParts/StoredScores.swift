import CallModel

/// What stores refuse of scores, where the engine or the form of a row does not.
package enum StoredScores {
    /// - Throws: ``CallStoreError/refused(_:)`` for one beyond 0...100.
    package static func check(_ scores: [Int?]) throws {
        for case let score? in scores where !(0...100).contains(score) {
            throw CallStoreError.refused("the score \(score) of a call is none: 0...100")
        }
    }
}
