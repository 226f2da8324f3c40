import CallModel
import RTPMeter

// MARK: - Streams that follow on each other

/// A sender that begins anew has another SSRC (RFC 3550 §8): no numbers tell what the silence between two streams was.
extension WireProbe {
    /// Shorter ones are losses and ends of words, as within a stream.
    private static let leastSilence = 1.0

    /// Notes the silence between a new stream of sound and the one that came to the same end before. What a hold explains is
    /// told by that.
    mutating func noteSuccession(of new: Int) {
        guard isSound(new), let first = streams[new].meter.earliestArrival, let call = calls[streams[new].call],
            !call.isHeld
        else { return }
        let before = call.ends[streams[new].end].streams.filter { isSound($0) }
        guard let latest = before.max(by: { isEarlier(streams[$0], streams[$1]) }),
            let last = streams[latest].meter.latestArrival, first.seconds(since: last) > Self.leastSilence,
            call.resumedAt.map({ $0 <= last }) ?? true
        else { return }
        streams[latest].followedAt = first
    }

    /// A source that goes on over another path, as where a relay is taken in or left, sends nothing over the one before
    /// meanwhile, where nothing is missing then. It may go back there.
    mutating func noteDetour(over new: Int) {
        guard let first = streams[new].meter.earliestArrival, let call = calls[streams[new].call] else { return }
        for place in call.ends[streams[new].end].streams
        where streams[place].identity.ssrc == streams[new].identity.ssrc && isContinued(place, by: new) {
            absences[place] = Absence(since: first)
            streams[place].meter.forgiveNextGap()
        }
    }

    /// Whether a new stream begins where another one has stopped; a few packets may be lost in between.
    private func isContinued(_ place: Int, by new: Int) -> Bool {
        let meter = streams[new].meter
        let begin = meter.numbersAhead(of: streams[place].meter) - Int(clamping: meter.expectedPackets)
        return (0...Self.mostBetweenPaths).contains(begin)
    }

    /// So many packets are lost where a source goes over to another path.
    private static let mostBetweenPaths = 10

    /// Books such a silence: an outage where the sender's own reports count packets in it, else a pause.
    func fillSilence(before place: Int, _ stream: inout WireStream) {
        let seconds = streams[place].secondsUntilFollowed
        guard seconds > 0, let last = streams[place].meter.latestArrival else { return }
        guard control[place]?.tellsOfMissing == true else {
            stream[.pauseSeconds] = (stream[.pauseSeconds] ?? 0) + seconds
            return
        }
        stream[.outageSeconds] = (stream[.outageSeconds] ?? 0) + seconds
        stream.lastOutage = TimeSpan(start: last.timestamp, end: nil)
    }
}
