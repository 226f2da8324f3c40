import CallModel

extension StatsReport {
    /// A browser is further behind only where its clock is.
    private static let mostLagMilliseconds: Int64 = 5_000
    private static let lagNote = "the clock of the statistics was behind that of the events, and was put right"
    private static let leadNote = "the clock of the statistics was ahead of that of the events, and was put right"

    /// The same report, of which `getStats()` was called at `time`.
    ///
    /// Browsers stamp statistics with `performance.timeOrigin + performance.now()`, which stands still while some machines
    /// sleep: [w3c/webrtc-pc#3123](https://github.com/w3c/webrtc-pc/issues/3123). It is ahead where the clock of the machine was
    /// set back since the page was opened.
    func sampled(at time: Timestamp) -> StatsReport {
        let lag = time.milliseconds(since: self.time)
        guard abs(lag) > Self.mostLagMilliseconds else { return self }
        return moved(byMilliseconds: lag).noting(lag > 0 ? Self.lagNote : Self.leadNote)
    }
}
