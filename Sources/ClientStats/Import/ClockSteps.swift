import CallModel

/// Finds where the clock of a client was set back in the middle of a call, and goes on as if it had not been.
///
/// A report that comes later in a file and is stamped earlier either was delivered late, or its clock stepped back. The
/// counters tell: of a late report they are lower. After a step all reports are moved on by as much, an interval after
/// the last.
struct ClockSteps {
    private var last: (time: Timestamp, counters: [StatsObject.Key: [Double?]])?
    private var interval: Int64 = 1000
    private var offset: Int64 = 0

    /// Counters that only grow.
    private static let growing = ["bytesReceived", "bytesSent", "packetsReceived", "packetsSent"]

    /// Moves a report that was stamped by a clock set back.
    /// - Returns: what to say of it, when it is the first after a step.
    mutating func correct(_ report: inout StatsReport) -> String? {
        let counters = Self.counters(of: report)
        var words: String?
        var time = report.time.advanced(byMilliseconds: offset)
        if let last, time < last.time {
            guard Self.haveGrown(from: last.counters, to: counters) else {
                report = report.moved(byMilliseconds: offset)
                return nil
            }
            let step = last.time.milliseconds(since: time)
            offset += step + interval
            time = report.time.advanced(byMilliseconds: offset)
            words = "the client's clock was set back by at least \(step) ms; later reports were moved on"
        }
        if let last, time > last.time { interval = time.milliseconds(since: last.time) }
        last = (time, counters)
        report = report.moved(byMilliseconds: offset)
        if let words { report = report.noting(words) }
        return words
    }

    private static func counters(of report: StatsReport) -> [StatsObject.Key: [Double?]] {
        let counted = report.objects.filter { $0.type.isLocalRTP || $0.type == .transport }
        return Dictionary(counted.map { object in (object.key, growing.map { object.members[$0]?.number }) }) { $1 }
    }

    /// Whether something grew and nothing fell.
    private static func haveGrown(
        from old: [StatsObject.Key: [Double?]], to new: [StatsObject.Key: [Double?]]
    ) -> Bool {
        var hasGrown = false
        for (key, counts) in new {
            for (now, before) in zip(counts, old[key] ?? []) {
                guard let now, let before else { continue }
                if now < before { return false }
                hasGrown = hasGrown || now > before
            }
        }
        return hasGrown
    }
}

extension StatsReport {
    /// The same report, taken later.
    fileprivate func moved(byMilliseconds offset: Int64) -> StatsReport {
        guard offset != 0 else { return self }
        let objects = objects.map { object in
            var object = object
            object.timestamp = object.timestamp?.advanced(byMilliseconds: offset)
            for name in ["lastPacketReceivedTimestamp", "lastPacketSentTimestamp"] {
                guard let time = object.members[name]?.wholeNumber else { continue }
                object.members[name] = .integer(
                    Timestamp(milliseconds: time).advanced(byMilliseconds: offset).milliseconds)
            }
            return object
        }
        return StatsReport(
            stored: objects, conflicts: conflicts, notes: notes, connection: connection,
            time: time.advanced(byMilliseconds: offset), receivedAt: receivedAt)
    }

    fileprivate func noting(_ words: String) -> StatsReport {
        StatsReport(
            stored: objects, conflicts: conflicts, notes: notes + [words], connection: connection, time: time,
            receivedAt: receivedAt)
    }
}
