import CallModel

/// What ``CallDetector``s conclude from.
struct IssueFacts {
    /// The call, but for its issues.
    var summary: CallSummary
    /// Spans without sound.
    var outages: [MediaOutage]
    /// The silence at the end in which the far end hung up: no blackout, and nothing in it is told.
    var hangUp: TimeSpan?
    /// Sound that went one way only.
    var oneWay: [OneWayDetector.Run]
    /// Sound that came back as undeliverable: of what this end sent, and of what it was sent.
    var sentUndeliverable = UndeliverableSound()
    var receivedUndeliverable = UndeliverableSound()
    var path: PathWatch
    var codecSteps: [CodecStep]
    /// Whether the ends agreed, before media came, that none were to come to one of them.
    var beganUnheard: Bool
    /// When the call was answered, where the caller never acknowledged that.
    var unacknowledgedSince: Timestamp?

    /// How far the agreement on keys came of a call without media (`dtlsState`); `nil` where they were agreed, or nothing tells.
    var lackingKeys: String?

    /// The last thing known of the call.
    var end: Timestamp { summary.endedAt ?? summary.lastActivity }

    /// How far apart things may lie that happened at once: the reports see them only when they come.
    var slackMilliseconds: Int64 {
        let median = min(max(0, summary.dataQuality.medianIntervalMilliseconds ?? 0), 30_000)
        return 2_000 + median
    }

    /// Whether two spans touch, but for the slack.
    func areTogether(_ left: TimeSpan, _ right: TimeSpan) -> Bool {
        let leftEnd = (left.end ?? end).advanced(byMilliseconds: slackMilliseconds)
        let rightEnd = (right.end ?? end).advanced(byMilliseconds: slackMilliseconds)
        return left.start <= rightEnd && right.start <= leftEnd
    }
}
