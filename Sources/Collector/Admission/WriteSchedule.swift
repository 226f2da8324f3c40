import CallModel

/// Says what the writer does next.
///
/// Two groups of submissions may be worked on at a time, while one is prepared and the other is on its way to the disk;
/// they never have a call in common. Everything else is done alone, after all that came before it.
struct WriteSchedule<Item> {
    /// What waits.
    struct Entry {
        var item: Item
        var tenant: TenantID
        /// The calls it is about; `nil` for what is done alone.
        var calls: Set<CallIdentity>?
        var facts = 0
        /// How much of a transaction it takes; see ``Fact/weight``.
        var weight = 0
        /// Whether it has a transaction of its own, for it may be the one that cannot be stored.
        var isByItself = false
        /// How often the store had been found locked when it came; see ``StoreHealth``.
        var timesLocked = 0
    }

    enum Turn {
        case group(Int, [Entry])
        case alone(Entry)
    }

    private let weightPerGroup: Int
    private var line = WaitingLine<TenantID, Entry>()
    /// Out of the line, but not to be begun yet.
    private var held: [Entry] = []
    /// The first in the line that is done alone: nothing passes it.
    private var barrier: Entry?
    private var waiting = 0
    /// The calls of each group that is being worked on.
    private var running: [Int: Set<CallIdentity>] = [:]
    /// The group that may still find out that it concerns further calls.
    private var preparing: Int?
    private var isAlone = false
    private var lastNumber = 0

    private static var groupsAtATime: Int { 2 }
    /// A group takes half of what waits, so that the other half is prepared while it is written. Where no more than so
    /// many wait, they are one group, and another is not begun for them: every transaction waits for the disk once.
    private static var fewestAGroup: Int { 16 }

    init(weightPerGroup: Int) {
        self.weightPerGroup = weightPerGroup
    }

    /// Whether nothing waits, and nothing is being worked on.
    var isIdle: Bool { waiting == 0 && running.isEmpty && !isAlone }
    /// How many groups are being worked on.
    var groups: Int { running.count }

    mutating func append(_ entry: Entry) {
        waiting += 1
        line.append(entry, of: entry.tenant)
    }

    /// Puts the entries of a group back, each to be tried by itself, before all others.
    mutating func retry(_ entries: [Entry]) {
        waiting += entries.count
        held.insert(
            contentsOf: entries.map {
                var entry = $0
                entry.isByItself = true
                return entry
            }, at: 0)
    }

    /// What may be begun now; `nil` when nothing waits, or all of it has to wait for what is being worked on.
    mutating func next() -> Turn? {
        guard !isAlone, preparing == nil, running.count < Self.groupsAtATime else { return nil }
        guard running.isEmpty || waiting >= Self.fewestAGroup else { return nil }
        let group = nextGroup()
        guard group.isEmpty else {
            lastNumber += 1
            waiting -= group.count
            running[lastNumber] = group.reduce(into: []) { $0.formUnion($1.calls ?? []) }
            preparing = lastNumber
            return .group(lastNumber, group)
        }
        guard let entry = barrier, held.isEmpty, running.isEmpty else { return nil }
        barrier = nil
        waiting -= 1
        isAlone = true
        return .alone(entry)
    }

    /// Takes in that a group concerns no calls but its own and these, and will soon be on its way to the disk.
    mutating func isPrepared(_ group: Int, with further: some Sequence<CallIdentity> = []) {
        running[group]?.formUnion(further)
        preparing = nil
    }

    mutating func isFinished(_ group: Int) {
        running[group] = nil
        if preparing == group { preparing = nil }
    }

    mutating func isFinishedAlone() { isAlone = false }

    private mutating func nextGroup() -> [Entry] {
        var group: [Entry] = []
        var weight = 0
        // What must not be passed by anything about the same call.
        var blocked = running.values.reduce(into: Set<CallIdentity>()) { $0.formUnion($1) }
        let most = running.isEmpty ? max(Self.fewestAGroup, (waiting + 1) / 2) : Int.max
        var isFull: Bool { group.count >= most || weight >= weightPerGroup || group.last?.isByItself == true }

        var stillHeld: [Entry] = []
        for entry in held {
            let calls = entry.calls ?? []
            if isFull || entry.isByItself && !group.isEmpty || !blocked.isDisjoint(with: calls) {
                blocked.formUnion(calls)
                stillHeld.append(entry)
            } else {
                group.append(entry)
                weight += entry.weight
            }
        }
        held = stillHeld
        while barrier == nil, !isFull, let (_, entry) = line.next() {
            guard let calls = entry.calls else {
                barrier = entry
                break
            }
            if blocked.isDisjoint(with: calls) {
                group.append(entry)
                weight += entry.weight
            } else {
                blocked.formUnion(calls)
                held.append(entry)
            }
        }
        return group
    }
}

extension Fact {
    /// How much of a transaction it takes, in reports as clients send them: those have about 40 objects, of which a few
    /// are streams. One of thousands of streams takes as long as hundreds of them, and all that is in the same transaction
    /// waits for it.
    var weight: Int {
        let parts =
            switch self {
            case .report(let report): report.objects.count
            case .wire(let report): report.streams.count
            case .event: 0
            }
        return 1 + max(0, parts - 50) / 12
    }
}
