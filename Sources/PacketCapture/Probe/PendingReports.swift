import CallModel
import RTPMeter

/// Snapshots taken while an audio stream stood still.
///
/// Only the packet that ends the silence says what it was: a jump in the sequence numbers means that packets got lost,
/// none that the sender sent none. Until then the figures stand still too, so one report, the times and what the end sent
/// itself are enough.
struct PendingReports {
    /// The end's report as of the first snapshot.
    var report: WireReport
    /// Place of the stream that stood still.
    let stream: Int
    /// Its ``WireStream/id``.
    let streamID: String
    /// When its last packet before the silence came.
    let since: ArrivalTime
    /// The snapshots, in order.
    private var snapshots: [Snapshot]

    /// When it was taken, and what the end itself had sent by then: that goes on.
    private struct Snapshot {
        var time: ArrivalTime
        var audioPacketsSent: Int?
    }

    init(report: WireReport, stream: Int, streamID: String, since: ArrivalTime, at time: ArrivalTime) {
        self.report = report
        self.stream = stream
        self.streamID = streamID
        self.since = since
        snapshots = [Snapshot(time: time, audioPacketsSent: report.audioPacketsSent)]
    }

    mutating func add(_ time: ArrivalTime, audioPacketsSent: Int?) {
        snapshots.append(Snapshot(time: time, audioPacketsSent: audioPacketsSent))
    }

    /// What a silence turned out to be.
    enum Cause {
        /// Packets were sent and did not come.
        case outage
        /// None were sent.
        case pause
    }

    /// The reports, each with the silence up to its time in the right column.
    func settled(as cause: Cause, upTo end: ArrivalTime?) -> [WireReport] {
        snapshots.map { snapshot in
            let time = snapshot.time
            let silence = max(0, time.seconds(since: since))
            let streams = report.streams.map { stream in
                guard stream.id == streamID else { return stream }
                var stream = stream
                switch cause {
                case .outage:
                    stream[.outageSeconds] = (stream[.outageSeconds] ?? 0) + silence
                    stream.lastOutage = TimeSpan(start: since.timestamp, end: end?.timestamp)
                case .pause:
                    stream[.pauseSeconds] = (stream[.pauseSeconds] ?? 0) + silence
                }
                return stream
            }
            return WireReport(
                time: time.timestamp, receivedAt: time.timestamp, streams: streams, sensor: report.sensor,
                audioPacketsSent: snapshot.audioPacketsSent)
        }
    }
}

extension ArrivalTime {
    /// In whole milliseconds, rounded down.
    var timestamp: Timestamp {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Timestamp(milliseconds: remainder < 0 ? quotient - 1 : quotient)
    }
}
