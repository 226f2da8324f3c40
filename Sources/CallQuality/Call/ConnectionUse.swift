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

    /// A shorter pause of what is sent is none, and a shorter span has no rate.
    private static let leastSeconds = 1.0
    /// More connections are not told apart.
    private static let mostConnections = 100

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
        guard let before = uses[connection], now > before.time, use.sent >= before.sent, use.received >= before.received
        else {
            use.sending.note(use.sent > 0, from: now, to: now)
            use.receiving.note(use.received > 0, from: now, to: now)
            if uses[connection] != nil || uses.count < Self.mostConnections { uses[connection] = use }
            return 0
        }
        let seconds = now.seconds(since: before.time)
        let sent = use.sent - before.sent
        let isUsed = sent > 0 && use.received > before.received
        let isIdle = sent == 0 && use.received == before.received
        // Of reports that follow each other at once, rates mean nothing.
        use.usualRate = seconds < Self.leastSeconds ? before.usualRate : max(before.usualRate, sent / seconds)
        (use.sending, use.receiving) = (before.sending, before.receiving)
        use.sending.note(sent > 0, from: before.time, to: now)
        use.receiving.note(use.received > before.received, from: before.time, to: now)

        let idleSeconds = use.usualRate > 0 ? max(0, seconds - sent / use.usualRate) : seconds
        let wasUsed = before.sent > 0 && before.received > 0
        // Of some servers one connection sends and another receives.
        let others = uses.filter { $0.key != connection }.values
        func goBothWays(_ moment: (Flow) -> Timestamp?) -> Bool {
            [\Use.sending, \.receiving].allSatisfy { way in
                others.contains { moment($0[keyPath: way]).map { $0 >= before.time } ?? false }
            }
        }
        let isLeft = isIdle && goBothWays(\.latest) || isUsed && (before.isLeft || goBothWays(\.since))
        defer { uses[connection] = use }
        guard wasUsed, isLeft, idleSeconds >= Self.leastSeconds else { return 0 }
        use.isLeft = isIdle
        return idleSeconds
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
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, sent, received, usualRate) = try archive.get()
        (sending, receiving, isLeft) = try archive.get()
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
