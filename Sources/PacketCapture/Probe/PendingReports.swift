import CallModel
import RTPMeter

/// Snapshots taken while an audio stream stood still.
///
/// Only the packet that ends the silence says what it was: a jump in the sequence numbers means that packets got lost,
/// none that the sender sent none. Until then its figures stand still; what else the end receives goes on, and so does what
/// it sends.
struct PendingReports {
    /// The end's report as of the first snapshot.
    private let report: WireReport
    /// Place of the stream that stood still.
    let stream: Int
    /// Its ``WireStream/id``.
    let streamID: String
    /// When its last packet before the silence came.
    let since: ArrivalTime
    /// The snapshots, in order.
    private var snapshots: [Snapshot]

    /// When it was taken, and what went on.
    private struct Snapshot {
        var time: ArrivalTime
        var others: [WireStream]
        var own: OwnAudio
    }

    init(report: WireReport, stream: Int, streamID: String, since: ArrivalTime, at time: ArrivalTime) {
        self.report = report
        self.stream = stream
        self.streamID = streamID
        self.since = since
        snapshots = []
        add(time, report.streams, own: OwnAudio(in: report))
    }

    /// So many are held back beside other streams, whose figures take room and are waited for.
    private static let mostBesideOthers = 60

    /// Whether no more are to be held back: what comes meanwhile says that the path is up, so the silence is the sender's.
    var isFull: Bool {
        snapshots.count >= Self.mostBesideOthers && snapshots.last?.others.isEmpty == false
    }

    /// For how long the stream had paused before, in seconds.
    var pausedBefore: Double { report.streams.first { $0.id == streamID }?[.pauseSeconds] ?? 0 }

    /// Adds a snapshot.
    /// - Parameters:
    ///   - time: when it was taken.
    ///   - streams: what the end receives, with or without the stream that stands still.
    ///   - own: what the end itself sent by then.
    mutating func add(_ time: ArrivalTime, _ streams: [WireStream], own: OwnAudio) {
        let others = streams.filter { $0.id != streamID }
        snapshots.append(Snapshot(time: time, others: others, own: own))
    }

    /// Leaves out the snapshots of a time that is no part of the call.
    mutating func end(at time: ArrivalTime) { snapshots.removeAll { $0.time.timestamp >= time.timestamp } }

    /// What a silence turned out to be.
    enum Cause {
        /// Packets were sent and did not come.
        case outage
        /// None were sent.
        case pause
    }

    /// The reports, each with the silence up to its time in the right column.
    /// - Parameters:
    ///   - cause: What the silence was.
    ///   - end: When it ended, where that is told; after that, the sender paused.
    ///   - due: From when on packets were due; before, it was none of the network's.
    /// - Returns: One report a snapshot.
    func settled(as cause: Cause, upTo end: ArrivalTime?, dueFrom due: ArrivalTime) -> [WireReport] {
        snapshots.map { snapshot in
            let time = snapshot.time
            var streams = snapshot.others
            if let place = report.streams.firstIndex(where: { $0.id == streamID }) {
                let stream = settled(report.streams[place], at: time, as: cause, upTo: end, dueFrom: due)
                streams.insert(stream, at: min(place, streams.count))
            }
            return WireReport(streams, report.sensor, snapshot.own, at: time.timestamp)
        }
    }

    /// A later report of `time`, with the silence up to it in the right column.
    func settled(
        _ last: WireReport, at time: ArrivalTime, as cause: Cause, dueFrom due: ArrivalTime
    ) -> WireReport {
        let streams = last.streams.map { stream in
            stream.id == streamID ? settled(stream, at: time, as: cause, upTo: nil, dueFrom: due) : stream
        }
        return WireReport(streams, last.sensor, OwnAudio(in: last), at: last.time)
    }

    private func settled(
        _ stream: WireStream, at time: ArrivalTime, as cause: Cause, upTo end: ArrivalTime?, dueFrom due: ArrivalTime
    ) -> WireStream {
        let over = end.map { min($0, time) } ?? time
        return stream.settled(as: .pause, from: since, to: min(time, due), upTo: nil)
            .settled(as: cause, from: due, to: over, upTo: end)
            .settled(as: .pause, from: max(due, over), to: time, upTo: nil)
    }
}

extension WireStream {
    fileprivate func settled(
        as cause: PendingReports.Cause, from since: ArrivalTime, to time: ArrivalTime, upTo end: ArrivalTime?
    ) -> WireStream {
        let silence = time.seconds(since: since)
        guard silence > 0 else { return self }
        var stream = self
        switch cause {
        case .outage:
            stream[.outageSeconds] = (stream[.outageSeconds] ?? 0) + silence
            stream.lastOutage = TimeSpan(start: since.timestamp, end: end?.timestamp)
        case .pause:
            stream[.pauseSeconds] = (stream[.pauseSeconds] ?? 0) + silence
        }
        return stream
    }
}

extension ArrivalTime {
    /// In whole milliseconds, rounded down.
    var timestamp: Timestamp {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Timestamp(milliseconds: remainder < 0 ? quotient - 1 : quotient)
    }
}
