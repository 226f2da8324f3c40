import CallModel
import PacketCapture

/// How a capture stands at a moment, in words.
struct CaptureSummary: Sendable {
    /// The interface or file.
    var source: String
    /// The database or collector.
    var destination: String
    var view: Sensor.View
    var delivery: DeliveryTally.Counts
    /// Facts that wait to be delivered.
    var waiting: Int
    /// Facts for which there was no room while they could not be delivered.
    var lost: Int

    /// What was not delivered, once nothing more will be; `nil` when everything was.
    var undelivered: CaptureFailure? {
        if waiting > 0 { return .leftBehind(facts: waiting, to: destination, reason: delivery.trouble) }
        return lostInAll > 0 ? .lost(facts: lostInAll, to: destination) : nil
    }

    private var lostInAll: Int { lost + delivery.rejected }

    /// One line of what goes on.
    /// - Parameters:
    ///   - earlier: The summary before; nil for the first.
    ///   - seconds: How long ago that was.
    ///   - time: Now.
    /// - Returns: The line, without an end.
    func line(since earlier: CaptureSummary?, seconds: Double, at time: Timestamp) -> String {
        let frames = view.figures.frames - (earlier?.view.figures.frames ?? 0)
        let rate = seconds > 0 ? Int((Double(frames) / seconds).rounded()) : 0
        return "\(Self.clockTime(time)) \(source): \(Self.count(rate, "packet"))/s, "
            + "\(Self.count(view.figures.liveStreams, "stream")) and \(Self.count(view.figures.liveCalls, "call")) live; "
            + "\(drops); \(deliveries(waitingAs: "waiting"))"
    }

    /// What there was in all, a line each for the source and the destination.
    var totals: [String] {
        let figures = view.figures
        var seen =
            "\(source): \(Self.count(figures.frames, "packet")), \(Self.count(figures.streams, "RTP stream")), "
            + "\(Self.count(figures.sipMessages, "SIP message")), \(Self.count(figures.calls, "call"))"
        if view.statistics != nil { seen += "; \(drops)" }
        if !figures.refused.isEmpty {
            let reasons = figures.refused.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            seen += "; left aside: \(reasons.joined(separator: ", "))"
        }
        return [seen, "\(destination): \(deliveries(waitingAs: "not delivered"))"]
    }

    private var drops: String {
        let statistics = view.statistics ?? CaptureStatistics()
        return "dropped \(statistics.droppedByKernel) by the kernel, \(statistics.droppedByInterface) by the interface"
    }

    private func deliveries(waitingAs word: String) -> String {
        let receipt = delivery.receipt
        var parts = ["\(Self.count(receipt.accepted + receipt.contradicted, "fact")) stored"]
        if receipt.repeated > 0 { parts.append("\(receipt.repeated) known already") }
        if receipt.refused > 0 { parts.append("\(receipt.refused) refused") }
        if lostInAll > 0 { parts.append("\(lostInAll) lost") }
        if waiting > 0 { parts.append("\(waiting) \(word)") }
        return parts.joined(separator: ", ") + (delivery.trouble.map { " (\($0))" } ?? "")
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The time of day in UTC.
    private static func clockTime(_ time: Timestamp) -> String {
        let second = time.milliseconds / 1000 % 86_400
        let parts = [second / 3600, second / 60 % 60, second % 60]
        return parts.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":") + "Z"
    }
}
