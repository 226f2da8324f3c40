import CallModel

/// Spans without sound, on hold, without ICE, and changes of the address.
struct InterruptionSection: ReportSection {
    let context: ReportContext

    private struct Item {
        var span: TimeSpan
        var text: String
        var isOutage = false

        /// What has not ended is the longest.
        var length: Int64 { span.milliseconds ?? .max }
    }

    var lines: [Line] {
        let items = items
        let shown = Self.foremost(items).sorted { $0.span.start < $1.span.start }
        let rest = items.count - shown.count
        let isOneWay = context.summary.isOneWay == true
        guard isOneWay || !items.isEmpty else { return [Line("Interruptions", .heading) + Line(": none seen")] }
        return [Line("Interruptions", .heading) + Line(rest > 0 ? " (outages, then the longest)" : "")]
            + (isOneWay ? [Line("  sound went one way only")] : [])
            + shown.flatMap { Wrap.lines($0.text, columns: context.columns, hanging: 4) }
            + (rest > 0 ? [Line("  … \(isFull ? "at least " : "")\(rest) more")] : [])
    }

    private var items: [Item] {
        let summary = context.summary
        let holds = summary.holds.filter { !isTold($0) && !context.isInOneWaySound($0) }
        return summary.outages.map { Item(span: $0.span, text: outage($0), isOutage: true) }
            + holds.map { Item(span: $0.span, text: hold($0)) }
            + summary.course.lanes.filter { $0.kind != .audioDevice }.map {
                Item(span: $0.span, text: span(words(for: $0), $0.span))
            }
            + summary.iceDisconnects.map { Item(span: $0, text: span("ICE disconnected", $0)) }
            + summary.ipChanges.map { Item(span: $0, text: span("IP address changing", $0)) }
    }

    private static let limit = 30

    /// Outages before what may be meant, the longest first: as many as are shown.
    private static func foremost(_ items: [Item]) -> ArraySlice<Item> {
        guard items.count > limit else { return items[...] }
        return items.sorted { left, right in
            if left.isOutage != right.isOutage { return left.isOutage }
            return (right.length, left.span.start) < (left.length, right.span.start)
        }
        .prefix(limit)
    }

    /// Whether there may have been more than the record keeps.
    private var isFull: Bool {
        let summary = context.summary
        return summary.outages.count >= MediaOutage.mostKept || summary.holds.count >= MediaHold.mostKept
            || summary.course.lanes.count >= CallLane.mostKept
            || max(summary.iceDisconnects.count, summary.ipChanges.count) >= TimeSpan.mostKept
    }

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

    /// What a lane is. While a call is fax, no sound is to come, as on hold; nobody holds it.
    private func words(for lane: CallLane) -> String {
        let isFax = context.record.events.contains {
            $0.action == "sip" && $0.type == "T38" && $0.time == lane.span.start
                && $0.members["isActive"]?.truth == true
        }
        return lane.kind.isHold && isFax ? "fax (T.38)" : lane.kind.words
    }

    private func span(_ what: String, _ span: TimeSpan) -> String {
        let length = span.milliseconds.map { "for \($0) ms" } ?? "and no end reported"
        return "\(moment(span.start)) \(what) \(length)"
    }

    private func moment(_ time: Timestamp) -> String {
        "\(UTCTime(time).millisecond) (\(context.offset(of: time)))"
    }
}
