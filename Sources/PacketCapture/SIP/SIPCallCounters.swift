/// What was counted of a call's messages.
struct SIPCallCounters: Hashable, Sendable {
    /// All messages, repeated ones too.
    var messages = 0
    /// Messages that their sender sent again, for want of an answer.
    var retransmissions = 0
    /// Messages seen twice within a moment, which no sender does: the capture recorded them twice.
    var copies = 0
    /// Messages that were seen before on another hop: proxies pass them on.
    var otherHops = 0
    /// INFO messages with dialled digits.
    var digits = 0
}
