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
