/// What waits for its turn: in order of arrival for each tenant, the tenants one after another.
///
/// However much one tenant brings, the first of another waits for one of each at most.
struct WaitingLine<Holder: Hashable & Sendable, Item> {
    private var queues: [Holder: ArraySlice<Item>] = [:]
    /// Those with something waiting, in the order in which their turn comes.
    private var turns: ArraySlice<Holder> = []

    var isEmpty: Bool { turns.isEmpty }

    mutating func append(_ item: Item, of holder: Holder) {
        if queues[holder] == nil { turns.append(holder) }
        queues[holder, default: []].append(item)
    }

    /// The next one; `nil` when nothing waits.
    mutating func next() -> (holder: Holder, item: Item)? {
        guard let holder = turns.popFirst(), let item = queues[holder]?.popFirst() else { return nil }
        if queues[holder]?.isEmpty == false {
            turns.append(holder)
        } else {
            queues[holder] = nil
        }
        return (holder, item)
    }
}
