/// A place among those who watch. It is given back when nobody holds it any more.
public final class LiveSubscription: Sendable {
    private let hub: LiveHub
    private let id: UInt64
    /// Whether it goes on behind the event that the watcher had before a break: nothing is missing.
    public let isResumed: Bool

    init(hub: LiveHub, id: UInt64, isResumed: Bool) {
        self.hub = hub
        self.id = id
        self.isResumed = isResumed
    }

    deinit {
        hub.leave(id)
    }

    /// What happened since the last time; waits for it. To be called by one task at a time.
    public func next() async -> LiveNews { await hub.next(id) }

    /// Goes on behind an earlier event. Where not all that came after it is still there, ``next()`` is ``LiveNews/cut``.
    public func move(to number: UInt64) { hub.move(id, to: number) }

    /// What ends the connection of a watcher that does not come for more in time.
    public func onCut(_ close: @escaping @Sendable () -> Void) { hub.onCut(id, close) }

    /// The watcher is gone: ``next()`` returns.
    public func end() { hub.leave(id) }
}
