import CallModel

/// Tells a connection that the client has left for another one from one on which sound is missing.
///
/// A client that moves from a server to its peer, to another server or back keeps the connection it came from and sends and
/// receives nothing over it any more. Receivers report that like a blackout; but where the network fails, the client goes
/// on sending.
struct ConnectionUse: Archivable {
    private var uses: [String: Use] = [:]

    /// The sound over one connection.
    fileprivate struct Use: Archivable {
        var time: Timestamp
        /// Packets of sound so far.
        var sent: Double
        var received: Double
        /// Packets sent a second at most.
        var usualRate = 0.0
        var sending = Flow()
        var receiving = Flow()
        var isLeft = false
        /// Seconds of the last span for which the usual sound was not sent, and of all such spans up to its end.
        var idleSeconds = 0.0
        var unsentSeconds = 0.0
        /// Whether any sound was sent in it.
        var isSending = false
    }

    /// Since when sound has gone one way, and when it last did.
    fileprivate struct Flow: Archivable {
        var since: Timestamp?
        var latest: Timestamp?

        /// Notes whether it has gone from `start` to `end`.
        mutating func note(_ isFlowing: Bool, from start: Timestamp, to end: Timestamp) {
            since = isFlowing ? since ?? start : nil
            latest = isFlowing ? end : latest
        }
    }

    /// Of a span, less than this is no pause: packets are not sent at even times.
    fileprivate static let leastIdle = (seconds: 0.1, share: 0.05)
    /// A shorter pause of what is sent is none, and a shorter span has no rate.
    fileprivate static let leastSeconds = 1.0
    /// More connections are not told apart.
    private static let mostConnections = 100

    /// Seconds before the last report of a connection for which it has not sent the sound that it had sent before, of the span
    /// that the report ended and of all up to it; and whether any was sent in that span.
    func unsent(of connection: String) -> (inSpan: Double, inAll: Double, isSending: Bool) {
        uses[connection].map { ($0.idleSeconds, $0.unsentSeconds, $0.isSending) } ?? (0, 0, false)
    }

    /// Forgets a connection of which nothing more is known.
    mutating func forget(_ connection: String) { uses[connection] = nil }

    /// Notes that a connection was closed.
    mutating func close(_ connection: String) { uses[connection]?.isLeft = true }

    /// Whether a connection had been left for another one, or closed, when it reported last.
    func isLeft(_ connection: String) -> Bool { uses[connection]?.isLeft == true }

    /// Takes the streams of the next report of a connection.
    /// - Returns: seconds since the one before in which the connection was left; 0 when it was not.
    mutating func take(
        _ samples: [KeyedSample], of connection: String, at now: Timestamp
    ) -> Double {
        func packets(_ direction: MediaDirection) -> Double {
            samples.filter { $0.key.kind == .audio && $0.key.direction == direction }
                .reduce(0) { $0 + ($1.sample.counters.packets ?? 0) }
        }
        var use = Use(time: now, sent: packets(.outbound), received: packets(.inbound))
        let known = uses[connection]
        if let known, now > known.time, use.sent >= known.sent { use.noteIdle(since: known) }
        guard let before = known, now > before.time, use.sent >= before.sent, use.received >= before.received else {
            use.sending.note(use.sent > 0, from: now, to: now)
            use.receiving.note(use.received > 0, from: now, to: now)
            if uses[connection] != nil || uses.count < Self.mostConnections { uses[connection] = use }
            return 0
        }
        let seconds = now.seconds(since: before.time)
        let sent = use.sent - before.sent
        let isUsed = sent > 0 && use.received > before.received
        let isIdle = sent == 0 && use.received == before.received
        (use.sending, use.receiving) = (before.sending, before.receiving)
        // What falls idle after it was used stopped before the span was over.
        let wasFlowing = before.sending.since != nil
        let stop = now.advanced(byMilliseconds: wasFlowing ? -use.idleSeconds.wholeMilliseconds : 0)
        use.sending.note(sent > 0, from: before.time, to: stop)
        use.receiving.note(use.received > before.received, from: before.time, to: stop)

        let idleSeconds = use.usualRate > 0 ? max(0, seconds - sent / use.usualRate) : seconds
        let wasUsed = before.sent > 0 && before.received > 0
        // Of some servers one connection sends and another receives.
        let others = uses.filter { $0.key != connection }.values
        func goBothWays(_ moment: (Flow) -> Timestamp?) -> Bool {
            [\Use.sending, \.receiving].allSatisfy { way in
                others.contains { moment($0[keyPath: way]).map { $0 >= before.time } ?? false }
            }
        }
        let isLeft = isIdle && goBothWays(\.latest) || isUsed && (before.isLeft || wasFlowing && goBothWays(\.since))
        defer { uses[connection] = use }
        guard wasUsed, isLeft, idleSeconds >= Self.leastSeconds else { return 0 }
        use.isLeft = isIdle
        return idleSeconds
    }
}

extension ConnectionUse.Use {
    /// Notes how much less than usual was sent since `before`.
    fileprivate mutating func noteIdle(since before: ConnectionUse.Use) {
        let seconds = time.seconds(since: before.time)
        let sent = sent - before.sent
        isSending = sent > 0
        // Of reports that follow each other at once, rates mean nothing.
        let isLong = seconds >= ConnectionUse.leastSeconds
        usualRate = isLong ? max(before.usualRate, sent / seconds) : before.usualRate
        guard usualRate > 0 else { return }
        let idle = max(0, seconds - sent / usualRate)
        let least = max(ConnectionUse.leastIdle.seconds, ConnectionUse.leastIdle.share * seconds)
        idleSeconds = idle > least ? idle : 0
        unsentSeconds = idle > least ? before.unsentSeconds + idle : 0
    }
}

// MARK: - Archive

extension ConnectionUse {
    func write(to archive: inout ArchiveWriter) {
        archive.put(uses)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        uses = try archive.get()
    }
}

extension ConnectionUse.Use {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, sent, received, usualRate)
        archive.put(sending, receiving, isLeft)
        archive.put(idleSeconds, unsentSeconds, isSending)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, sent, received, usualRate) = try archive.get()
        (sending, receiving, isLeft) = try archive.get()
        (idleSeconds, unsentSeconds, isSending) = try archive.get()
    }
}

extension ConnectionUse.Flow {
    func write(to archive: inout ArchiveWriter) {
        archive.put(since, latest)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (since, latest) = try archive.get()
    }
}
