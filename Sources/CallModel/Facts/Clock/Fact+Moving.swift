extension StatsReport {
    /// The same report, taken later.
    package func moved(byMilliseconds offset: Int64) -> StatsReport {
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

    /// The same report, of which something more is to be said.
    package func noting(_ words: String) -> StatsReport {
        StatsReport(
            stored: objects, conflicts: conflicts, notes: notes + [words], connection: connection, time: time,
            receivedAt: receivedAt)
    }
}

extension Fact {
    /// The same fact, told of a later moment. What a probe saw stays where it is: its clock is the collector's, or near.
    func moved(byMilliseconds offset: Int64) -> Fact {
        switch self {
        case .report(let report):
            return .report(report.moved(byMilliseconds: offset))
        case .event(var event):
            event.time = event.time.advanced(byMilliseconds: offset)
            return .event(event)
        case .wire:
            return self
        }
    }
}
