/// How many records are folded anew before others have their turn: one at least, and after it as many as there is time for.
/// The first may have read the session that the next ones share.
struct UpkeepTurn {
    private var end: Int64?
    private let most: Int
    private var taken = 0

    /// Clients wait for as long as a turn takes.
    private static let nanoseconds: Int64 = 100_000_000
    private static let records = 16
    /// What is not folded anew before the program ends waits for the next start.
    private static let nanosecondsAtTheEnd: Int64 = 5_000_000_000
    private static let recordsAtTheEnd = 1_000

    /// - Parameter closingSince: since when the program ends, in ns; `nil` while it goes on.
    init(closingSince: Int64?) {
        end = closingSince.map { $0 + Self.nanosecondsAtTheEnd }
        most = closingSince == nil ? Self.records : Self.recordsAtTheEnd
    }

    /// Takes one more record in, if there is time for it; what was taken in before is done.
    mutating func takesAnother(at moment: Int64) -> Bool {
        if taken > 0 {
            let end = end ?? moment + Self.nanoseconds
            self.end = end
            guard taken < most, moment < end else { return false }
        }
        taken += 1
        return true
    }
}
