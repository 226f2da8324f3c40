import CallModel

/// Spans without sound, on hold, without ICE, and changes of the address.
struct InterruptionSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let summary = context.summary
        let all =
            summary.outages.map { ($0.span.start, outage($0)) }
            + summary.holds.filter { !isTold($0) && !isOneWay($0) }.map { ($0.span.start, hold($0)) }
            + summary.course.lanes.filter { $0.kind != .audioDevice }.map {
                ($0.span.start, span($0.kind.words, $0.span))
            }
            + summary.iceDisconnects.map { ($0.start, span("ICE disconnected", $0)) }
            + summary.ipChanges.map { ($0.start, span("IP address changing", $0)) }
        let items = all.sorted { $0.0 < $1.0 }.map(\.1)
        let isOneWay = summary.isOneWay == true
        guard isOneWay || !items.isEmpty else { return [Line("Interruptions", .heading) + Line(": none seen")] }
        return [Line("Interruptions", .heading)] + (isOneWay ? [Line("  sound went one way only")] : [])
            + items.prefix(Self.limit).flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
            + (items.count > Self.limit ? [Line("  … \(items.count - Self.limit) more")] : [])
    }

    private static let limit = 30

    private func outage(_ outage: MediaOutage) -> String {
        let evidence = outage.evidence.map { Self.words[$0] ?? $0.printable }.joined(separator: ", ")
        let source = evidence.isEmpty ? "" : " (\(evidence))"
        return
            "\(moment(outage.span.start)) no sound for \(Words.duration(seconds: outage.seconds, within: outage.span))\(source)"
    }

    /// What the W3C members say that an outage was concluded from.
    private static let words = [
        "lastPacketReceivedTimestamp": "the last packet was old", "packetsReceived": "no packets came",
        "packetsSent": "the sender went on sending", "sdpFmtpLine": "the codec does not pause",
        "iceDisconnected": "ICE had gone down", "sequenceNumber": "sequence numbers are missing",
        "silentConcealedSamples": "silence was played",
    ]

    private func hold(_ hold: MediaHold) -> String {
        let isPause = hold.isSenderPause == true
        let length =
            isPause ? Words.duration(seconds: hold.seconds, within: hold.span) : Words.duration(seconds: hold.seconds)
        return "\(moment(hold.span.start)) \(isPause ? "sender paused" : "on hold") for \(length)"
    }

    /// A hold that the client's events tell of is shown by them: they are exact.
    private func isTold(_ hold: MediaHold) -> Bool {
        context.summary.course.lanes.contains { lane in
            lane.kind.isHold && lane.span.start <= hold.span.end ?? hold.span.start
                && lane.span.end ?? hold.span.start >= hold.span.start
        }
    }

    /// Where sound went one way only, nobody knows whether its sender paused.
    private func isOneWay(_ hold: MediaHold) -> Bool {
        guard hold.isSenderPause == true else { return false }
        return context.summary.issues.all.contains { issue in
            issue.kind == .oneWayAudio && issue.cause == .farEndSendsNothing
                && issue.span.start <= hold.span.end ?? hold.span.start
                && issue.span.end ?? hold.span.start >= hold.span.start
        }
    }

    private func span(_ what: String, _ span: TimeSpan) -> String {
        let length = span.milliseconds.map { "for \($0) ms" } ?? "and no end reported"
        return "\(moment(span.start)) \(what) \(length)"
    }

    private func moment(_ time: Timestamp) -> String {
        "\(UTCTime(time).millisecond) (\(context.offset(of: time)))"
    }
}
