import CallModel

/// Events of a file that do not say whose they are, as of clients that name their end in reports (`role`) alone.
///
/// They are of the end whose report of their call comes next in the file, else of the one before. Where reports of several
/// ends alternate nobody can tell, and they are of ``ObserverID/client``, as in a call without reports.
struct UnclaimedEvents {
    /// An event, and its place in the file.
    struct Item {
        var call: CallID
        var event: CallEvent
        var index: Int
    }

    private struct Reporters {
        var latest: ObserverID
        var known: Set<ObserverID>
        var alternate = false
    }

    private var reporters: [CallID: Reporters] = [:]
    private var waiting: [CallID: [Item]] = [:]
    private var count = 0

    /// So many wait for a report of their call; of a file that has more without any, all are let go of.
    static let most = 10_000

    /// Keeps an event until it is known whose it is.
    mutating func keep(_ item: Item) {
        waiting[item.call, default: []].append(item)
        count += 1
    }

    /// Whether no more may wait.
    var isFull: Bool { count >= Self.most }

    /// Takes note of a report.
    /// - Returns: the events of its call that came before it, and whose they are.
    mutating func takeReport(of observer: ObserverID, call: CallID) -> (items: [Item], observer: ObserverID) {
        var reporters = reporters[call] ?? Reporters(latest: observer, known: [observer])
        if reporters.latest != observer, !reporters.known.insert(observer).inserted { reporters.alternate = true }
        reporters.latest = observer
        self.reporters[call] = reporters
        let items = waiting.removeValue(forKey: call) ?? []
        count -= items.count
        return (items, owner(of: call))
    }

    /// Lets go of all that wait, in the order of the file, with whose they are.
    mutating func takeAll() -> [(item: Item, observer: ObserverID)] {
        let items = waiting.values.joined().sorted { $0.index < $1.index }
        (waiting, count) = ([:], 0)
        return items.map { ($0, owner(of: $0.call)) }
    }

    private func owner(of call: CallID) -> ObserverID {
        guard let reporters = reporters[call], !reporters.alternate else { return .client }
        return reporters.latest
    }
}
