import CallModel

/// A stream as one observer saw it pass.
struct StreamSighting {
    /// Where on the way of the packets the observer stands.
    enum Place: String {
        case sender, probe, receiver
    }

    let view: VantageView
    let place: Place
    /// `nil` when this observer never saw the stream.
    let stream: StreamSummary?
    private let rows: [MediaInterval]

    init(_ stream: StreamSummary?, in view: VantageView, at place: Place) {
        (self.view, self.stream, self.place) = (view, stream, place)
        rows = stream.map { view.intervals(of: $0.stream) } ?? []
    }

    /// What counts of it: rows that reach beyond a span count in proportion.
    struct Count {
        var packets = 0.0
        /// `nil` when nobody said.
        var lost: Double?
        /// Packets and losses of which it is not known whether they lie in the span.
        var uncertainPackets = 0.0
        var uncertainLost = 0.0
        /// Packets of the rows that lie wholly in the span, and of all that reach into it: in a row that is cut, media
        /// may have begun or ended, so that its packets all lie on one side.
        var leastPackets = 0.0
        var mostPackets = 0.0
        var discarded: Double?
        /// Of those, the ones that went with pictures that the receiver dropped.
        var discardedWithPictures = 0.0
        var jitter: Double?
        var concealedPercent: Double?
    }

    /// When the observer could have seen the stream: from its first row of it to its last of anything; a probe, for as long
    /// as it watched.
    var span: ClosedRange<Timestamp>? {
        guard let first = rows.first.map({ view.time($0.start) }) ?? view.firstRowStart,
            let last = view.lastWatched, first < last
        else { return nil }
        return first...last
    }

    /// The stream on its way to the relay that sends it on, where a probe sees both sides of that.
    var beforeRelay: WireStream? {
        view.isProbe ? view.summary.secondaryStreams.first { $0.role == .hop && $0.ssrc == stream?.wire?.ssrc } : nil
    }

    /// When a probe saw the first packet.
    var firstPacketAt: Timestamp? { stream?.wire.map { view.time($0.firstPacketAt) } }

    func count(in span: ClosedRange<Timestamp>) -> Count {
        var count = Count()
        var (jitters, jitterRows, concealed, concealedSeconds) = (0.0, 0.0, 0.0, 0.0)
        for row in rows {
            let share = share(of: row, in: span)
            guard share > 0 else { continue }
            let doubt = min(share, 1 - share)
            let packets = Double(row.packets ?? 0)
            count.packets += share * packets
            count.uncertainPackets += doubt * packets
            count.leastPackets += share < 1 ? 0 : packets
            count.mostPackets += packets
            if let lost = row.packetsLost {
                count.lost = (count.lost ?? 0) + share * Double(lost)
                count.uncertainLost += doubt * abs(Double(lost))
            }
            if let discarded = row.packetsDiscarded {
                count.discarded = (count.discarded ?? 0) + share * Double(discarded)
                if row.metrics[.framesDroppedPercent] ?? 0 > 0 {
                    count.discardedWithPictures += share * Double(discarded)
                }
            }
            if let jitter = row.jitterMilliseconds {
                (jitters, jitterRows) = (jitters + share * jitter, jitterRows + share)
            }
            if let percent = row.concealedPercent {
                let seconds = share * row.seconds
                (concealed, concealedSeconds) = (concealed + seconds * percent, concealedSeconds + seconds)
            }
        }
        if jitterRows > 0 { count.jitter = jitters / jitterRows }
        if concealedSeconds > 0 { count.concealedPercent = concealed / concealedSeconds }
        return count
    }

    /// Whether it watched the stream all through a span. A probe does; of a client, a stream that is in none of its
    /// reports for a while, or whose counters began anew, says nothing of that time.
    func watched(_ span: ClosedRange<Timestamp>) -> Bool {
        guard !view.isProbe else { return true }
        var seen = span.lowerBound
        for row in rows where view.time(row.start) <= seen { seen = max(seen, view.time(row.end)) }
        return seen >= span.upperBound
    }

    /// Whether it saw half of so many packets pass in a span, and more.
    func saw(most packets: Double, in span: ClosedRange<Timestamp>) -> Bool { 2 * count(in: span).packets >= packets }

    private func share(of row: MediaInterval, in span: ClosedRange<Timestamp>) -> Double {
        let (start, end) = (view.time(row.start), view.time(row.end))
        guard end > start else { return span.contains(end) ? 1 : 0 }
        let common = min(end, span.upperBound).milliseconds(since: max(start, span.lowerBound))
        return max(0, min(1, Double(common) / Double(end.milliseconds(since: start))))
    }
}
