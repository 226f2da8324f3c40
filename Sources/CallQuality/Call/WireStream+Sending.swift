import CallModel

extension WireStream {
    /// For how long the stream was due, in seconds: no longer than from its first packet to its last, where that came more than a
    /// second before `end`. A source whose place another has taken sends nothing for the rest of the call, and no slower for it.
    /// Where the silence at the end is an outage, it is due all the same.
    /// - Parameters:
    ///   - seconds: What was reported of it, less holds and pauses.
    ///   - end: When it was last reported.
    /// - Returns: The time that its bytes are divided by.
    func dueSeconds(of seconds: Double, until end: Timestamp) -> Double {
        let sent = lastPacketAt.seconds(since: firstPacketAt) + (packetMilliseconds ?? 0) / 1000
        let isOut = lastOutage.map { $0.end == nil } ?? false
        return sent > 0 && !isOut && end.seconds(since: lastPacketAt) > 1 ? min(seconds, sent) : seconds
    }
}
