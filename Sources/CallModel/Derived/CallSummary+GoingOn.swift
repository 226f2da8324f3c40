// MARK: - Whether a call goes on

extension CallSummary {
    /// From when on nothing more is waited for: the event that ended the call; else, always after ``lastActivity``, when the
    /// probe that saw the call stopped to watch, unless something was told of later. `nil` while the call may go on.
    ///
    /// Stores keep it in a column of its own, by which they choose the calls that go on.
    public var closedAt: Timestamp? {
        if let endedAt { return endedAt }
        guard let watched = sensor?.watchedUntil, watched >= lastActivity else { return nil }
        return max(watched, lastActivity.advanced(byMilliseconds: 1))
    }

    /// Takes in what a column holds of ``closedAt``.
    package mutating func close(at time: Timestamp?) {
        guard let time, time > lastActivity else { return endedAt = time }
        sensor = SensorHealth(watchedUntil: time)
    }

    /// Whether the call is still going on at `now` (the collector's clock): nothing ended it, the
    /// probe that sees it still watches, and it was heard of lately.
    public func isLive(
        at now: Timestamp, silenceLimitMilliseconds: Int64 = CallSummary.silenceLimitMilliseconds
    ) -> Bool {
        closedAt == nil && now.milliseconds(since: lastReceivedAt) < silenceLimitMilliseconds
    }

    /// Why the call ended; ``CallEndCause/lost`` when media flowed and a client that tells of ends told none. `nil` while
    /// it is live, and where nothing is known of its end.
    public func endCause(isLive: Bool) -> CallEndCause? {
        guard course.endCause == nil, endedAt == nil else { return course.endCause }
        return !isLive && outcome == .connected && course.tellsStates && !outlivesCapture ? .lost : nil
    }

    /// Whether the call went on when the probe that saw it stopped to watch: no event ended it, and it had been heard of
    /// lately.
    public var outlivesCapture: Bool {
        guard endedAt == nil, outcome == .connected, course.tellsStates, let watched = sensor?.watchedUntil else {
            return false
        }
        return watched.milliseconds(since: lastActivity) < Self.silenceLimitMilliseconds
    }

    /// Whether a call that is going on has been silent for longer than it should: the client's own sign of life
    /// (`auditFrequency`), else three reports.
    public func isStale(at now: Timestamp) -> Bool {
        guard isLive(at: now) else { return false }
        let period = dataQuality.medianIntervalMilliseconds.map { 3 * min(max(0, $0), Self.silenceLimitMilliseconds) }
        let audit = course.configuration?.auditSeconds.flatMap { $0 > 0 ? Int64(exactly: ($0 * 1000).rounded()) : nil }
        return now.milliseconds(since: lastReceivedAt) > audit ?? period ?? Self.silenceLimitMilliseconds
    }

    /// A call of which nothing was heard for this long is over: three missed reports and a minute of grace, 90 s.
    public static let silenceLimitMilliseconds: Int64 = 90_000
}
