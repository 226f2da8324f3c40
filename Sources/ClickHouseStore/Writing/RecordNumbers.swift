import Synchronization

/// The running numbers that a node gives to the records it writes first.
///
/// The engine is asked once for the highest number that is there: it reads those of all records to tell, ever more of
/// them. From then on the node counts by itself; its tag tells its numbers from those of others.
///
/// A class, for all copies of a store share it.
final class RecordNumbers: Sendable {
    private let node: StoreNode
    private let last = Mutex<Int64?>(nil)

    init(_ node: StoreNode) {
        self.node = node
    }

    /// Whether ``count(from:)`` has been told.
    var isCounting: Bool { last.withLock { $0 != nil } }

    /// Says what the highest number is that is there.
    func count(from highest: Int64) {
        last.withLock { $0 = max($0 ?? 0, highest) }
    }

    /// The next number, higher than all before it.
    func next() -> Int64 {
        last.withLock { last in
            let next = node.number(after: last ?? 0)
            last = next
            return next
        }
    }
}
