/// How many records are folded anew before others have their turn: one at least.
struct UpkeepTurn {
    private let end: Int64
    private let most: Int
    private var taken = 0

    /// Clients wait for as long as a turn takes.
    private static let nanoseconds: Int64 = 100_000_000
    private static let records = 16
    /// What is not folded anew before the program ends waits for the next start.
    private static let nanosecondsAtTheEnd: Int64 = 5_000_000_000
    private static let recordsAtTheEnd = 1_000

    /// - Parameters:
    ///   - closingSince: since when the program ends; `nil` while it goes on.
    ///   - moment: when the turn begins, in ns on the same clock.
    init(closingSince: Int64?, at moment: Int64) {
        end = closingSince.map { $0 + Self.nanosecondsAtTheEnd } ?? moment + Self.nanoseconds
        most = closingSince == nil ? Self.records : Self.recordsAtTheEnd
    }

    /// Takes one more record in, if there is time for it.
    mutating func takesAnother(at moment: Int64) -> Bool {
        guard taken == 0 || taken < most && moment < end else { return false }
        taken += 1
        return true
    }
}
