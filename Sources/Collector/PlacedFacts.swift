import CallModel

/// The facts that stand at their receipt, for their own time cannot be used: a retry has another receipt, and is known by
/// what it says; see ``Fact/repeatHash``.
struct PlacedFacts {
    private struct Told: Hashable {
        var observer: ObserverID
        var content: ContentHash
    }

    private var times: [CallIdentity: [Told: Timestamp]] = [:]
    private let capacity: Int

    /// - Parameter capacity: of so many calls they are remembered.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    func knows(_ call: CallIdentity) -> Bool { times[call] != nil }

    /// Begins with a call; the store's facts of it are to be taken in.
    mutating func learn(_ call: CallIdentity) {
        if times.count >= capacity { times = [:] }
        times[call] = [:]
    }

    mutating func forget(_ call: CallIdentity) {
        times[call] = nil
    }

    /// Takes in a fact.
    /// - Returns: whether it says what one said that was received before. Where that one was received later, both are
    ///   stored, and the earlier stands when the call is folded or shown.
    mutating func isRepeat(_ fact: Fact, of call: CallIdentity, by observer: ObserverID) -> Bool {
        guard let content = fact.repeatHash else { return false }
        let told = Told(observer: observer, content: content)
        if let earlier = times[call]?[told], earlier < fact.time { return true }
        times[call, default: [:]][told] = fact.time
        return false
    }
}
