/// Room that several tenants share: nobody can take so much that nothing is left for the others.
///
/// A tenant may hold three times what is free (the dynamic threshold of
/// [Choudhury and Hahne, 1998](https://doi.org/10.1109/90.664262), with α = 3): alone it gets three quarters, two greedy
/// ones three sevenths each, and one who holds nothing finds room as long as there is any.
public struct FairShare<Holder: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var held: [Holder: Int] = [:]
    /// All that is held.
    public private(set) var total = 0

    private static var timesFree: Int { 3 }

    /// - Parameter limit: how much there is.
    public init(limit: Int) {
        self.limit = limit
    }

    /// How much there has to be so that a tenant may hold `amount` while nobody else holds anything.
    public static func leastLimit(for amount: Int) -> Int { amount + amount / timesFree }

    /// Whether `amount` more would fit.
    public func hasRoom(for amount: Int, of holder: Holder) -> Bool {
        let free = limit - total - amount
        guard free >= 0 else { return false }
        let mine = held[holder, default: 0]
        return mine == 0 || (mine + amount) / Self.timesFree <= free
    }

    /// Counts `amount` as held, whether it fits or not.
    public mutating func take(_ amount: Int, of holder: Holder) {
        held[holder, default: 0] += amount
        total += amount
    }

    /// Counts `amount` as no longer held.
    public mutating func give(_ amount: Int, of holder: Holder) {
        total -= amount
        let left = held[holder, default: 0] - amount
        held[holder] = left > 0 ? left : nil
    }
}
