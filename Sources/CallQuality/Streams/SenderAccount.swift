import CallModel

/// What the sender of a stream says of what it sent, through RTCP (`packetsSent` of `remote-outbound-rtp`).
struct SenderAccount: Hashable {
    /// From the arrival of one sender report to that of a later one.
    var seconds: Double
    /// Packets sent in between.
    var packets: Double

    /// The account that came with `now`, since `before`.
    ///
    /// - Returns: `nil` when nothing new arrived, or the count started anew.
    init?(_ now: FarEndSample?, since before: FarEndSample?) {
        guard let arrived = now?.arrivedAt, let arrivedBefore = before?.arrivedAt, arrived > arrivedBefore,
            let sent = now?.packetsSent, let sentBefore = before?.packetsSent, sent >= sentBefore
        else { return nil }
        seconds = arrived.seconds(since: arrivedBefore)
        packets = sent - sentBefore
    }

    /// Seconds in which a sender that otherwise sends `rate` packets a second sent nothing.
    func idleSeconds(rate: Double) -> Double {
        rate > 0 ? max(0, seconds - packets / rate) : 0
    }
}
