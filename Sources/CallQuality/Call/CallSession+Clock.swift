public import CallModel

extension CallSession {
    /// Takes in where the client's clock was set back. To be told before the first fact, of a fold over all facts of the record,
    /// which are those that ``ClientClock/putRight(_:)`` gives.
    ///
    /// What comes later may tell more of it, and needs a new fold over all facts again.
    public mutating func take(_ clock: ClientClock) {
        guard !clock.steps.isEmpty else { return }
        quality.take(clock)
        watermark = .last
    }
}
