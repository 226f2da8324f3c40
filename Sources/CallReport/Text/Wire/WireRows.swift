import CallModel

/// The rows of the table of what a probe measured, a column a stream.
struct WireRow: Sendable {
    var label: String
    /// Whether the row is left out, too, when the figure is 0 in all streams: what hardly ever happens.
    var isRare = false
    /// `nil` where the figure is not known.
    var value: @Sendable (WireStream) -> String?

    /// The label and the cells of all streams; `nil` when no stream has anything to say.
    func cells(of streams: [WireStream]) -> [String]? {
        let cells = streams.map(value)
        let isSaid = cells.contains { $0 != nil && !(isRare && $0 == "0") }
        return isSaid ? [label] + cells.map { $0 ?? Figures.unknown } : nil
    }

    private static func counted(_ label: String, _ figure: WireFigure, isRare: Bool = false) -> WireRow {
        WireRow(label: label, isRare: isRare) { $0.count(figure) }
    }

    private static func time(_ label: String, _ figures: WireFigure...) -> WireRow {
        WireRow(label: label) { stream in
            WireRow.joined(figures.map { stream.milliseconds($0) }, "ms")
        }
    }

    private static func length(_ label: String, _ figure: WireFigure) -> WireRow {
        WireRow(label: label, isRare: true) { stream in
            stream[figure].flatMap { $0.isFinite ? ($0 > 0 ? Words.duration(seconds: $0) : "0") : nil }
        }
    }

    /// `1.4 / 2.0 ms`; `nil` when no part is known.
    private static func joined(_ values: [Double?], _ unit: String) -> String? {
        let texts = values.map(Figures.number)
        guard texts.contains(where: { $0 != Figures.unknown }) else { return nil }
        return texts.joined(separator: " / ") + (unit.isEmpty ? "" : " \(unit)")
    }

    /// What the receiver that reported last says of itself.
    private static func told(
        _ label: String, _ unit: String, _ values: @escaping @Sendable (ReceiverMetrics) -> [Double?]
    ) -> WireRow {
        WireRow(label: label) { stream in stream.receiverMetrics?.last.flatMap { joined(values($0), unit) } }
    }

    private static func toldWhole(
        _ label: String, _ unit: String, _ values: @escaping @Sendable (ReceiverMetrics) -> [Int?]
    ) -> WireRow {
        told(label, unit) { values($0).map { $0.map(Double.init) } }
    }

    static let packets: [WireRow] = [
        counted("packets", .packetsReceived),
        counted("lost", .packetsLost),
        counted("lost in outages", .packetsLostInOutages, isRare: true),
        counted("duplicated", .packetsDuplicated),
        counted("reordered", .packetsReordered),
        counted("recorded twice", .packetsRecordedTwice, isRare: true),
        counted("missed by capture", .packetsMissedByCapture, isRare: true),
        counted("skipped (hold, T.38)", .packetsSkipped, isRare: true),
        counted("strays left out", .packetsRejected, isRare: true),
        counted("sequence restarts", .sequenceRestarts, isRare: true),
        counted("undeliverable (ICMP)", .packetsUndeliverable, isRare: true),
        length("outages", .outageSeconds),
        length("pauses of sender", .pauseSeconds),
    ]

    static let arrival: [WireRow] = [
        time("jitter mean / max", .meanJitter, .maximumJitter),
        time("plain RFC 3550 max", .maximumPlainJitter),
        time("delta min / mean", .minimumDelta, .meanDelta),
        time("delta max", .maximumDelta),
        time("delay variation p95", .delayVariation95),
        time("skew max", .maximumSkew),
        WireRow(label: "clock drift") { joined([$0[.clockDrift]], "ppm") },
        WireRow(label: "round trip, by ICE") { $0.hasReadableControl ? nil : $0.roundTripWords },
    ]

    static let loss: [WireRow] = [
        WireRow(label: "burst / gap density") { stream in
            joined([stream[.burstDensity], stream[.gapDensity]].map { $0.map { 100 * $0 } }, "%")
        },
        WireRow(label: "burst / gap length") { joined([$0[.burstDuration], $0[.gapDuration]], "s") },
        counted("longest loss run", .longestLossRun, isRare: true),
        counted("late, adaptive buffer", .packetsDiscarded),
        counted("late, 60 ms buffer", .packetsLateFor60Milliseconds),
        counted("late, 200 ms buffer", .packetsLateFor200Milliseconds),
        WireRow(label: "adaptive buffer mean") { $0.meanBufferWords },
    ]

    static let content: [WireRow] = [
        counted("DTMF events", .telephoneEvents, isRare: true),
        counted("comfort noise", .comfortNoisePackets, isRare: true),
        counted("padding only", .paddingPackets, isRare: true),
        counted("marked packets", .markers, isRare: true),
    ]

    /// What RTCP that passed by says; `by sender` and `by receiver` are their words, not the probe's.
    static let control: [WireRow] = [
        counted("sender reports", .senderReports, isRare: true),
        counted("sent, by sender", .packetsSent, isRare: true),
        counted("receiver reports", .receiverReports, isRare: true),
        WireRow(label: "lost, by receiver") { $0.hasReceiverReports ? $0.count(.receiverPacketsLost) : nil },
        WireRow(label: "lost behind the probe", isRare: true) {
            $0[.packetsLostBehind].map { Figures.whole(max(0, $0)) }
        },
        WireRow(label: "jitter, by receiver") { stream in
            stream.hasReceiverReports ? joined([stream.milliseconds(.receiverJitter)], "ms") : nil
        },
        WireRow(label: "round trip") { $0.hasReadableControl ? $0.roundTripWords : nil },
        WireRow(label: "XR MOS LQ / CQ") { joined([$0[.receiverListeningMOS], $0[.receiverConversationalMOS]], "") },
        WireRow(label: "XR R factor") { joined([$0[.receiverRFactor]], "") },
        told("XR lost / discarded", "%") { [100 * $0.lossRate, 100 * $0.discardRate] },
        told("XR burst / gap dens.", "%") { [100 * $0.burstDensity, 100 * $0.gapDensity] },
        toldWhole("XR round trip / end", "ms") { [$0.roundTripMilliseconds, $0.endSystemMilliseconds] },
        toldWhole("XR buffer nom. / max", "ms") { metrics in
            [metrics.jitterBufferNominalMilliseconds, metrics.jitterBufferMaximumMilliseconds]
        },
        toldWhole("XR signal / noise", "dBm0") { [$0.signalLevelDecibels, $0.noiseLevelDecibels] },
        counted("asked for again", .nackedPackets, isRare: true),
        counted("key frames asked for", .keyFrameRequests, isRare: true),
    ]
}

extension WireStream {
    /// Whether RTCP about it could be read; else its round trip is that of checks of ICE.
    fileprivate var hasReadableControl: Bool { (self[.senderReports] ?? self[.receiverReports]) != nil }

    /// Without a report of the receiver, its figures are no zeros of its own.
    fileprivate var hasReceiverReports: Bool {
        (self[.receiverReports] ?? 1) > 0
    }

    /// Mean stay in the simulated adaptive jitter buffer.
    fileprivate var meanBufferWords: String? {
        mean(.jitterBufferDelay, .jitterBufferEmittedCount).map { Figures.number($0, "ms") }
    }

    /// `42.6 ms of 12`: the mean, and of how many measurements.
    fileprivate var roundTripWords: String? {
        mean(.totalRoundTripTime, .roundTripTimeMeasurements).map {
            "\(Figures.number($0, "ms")) of \(count(.roundTripTimeMeasurements) ?? Figures.unknown)"
        }
    }

    /// A sum in seconds over a count, in ms.
    private func mean(_ sum: WireFigure, _ count: WireFigure) -> Double? {
        guard let total = milliseconds(sum), let count = self[count], count > 0 else { return nil }
        return (total / count).isFinite ? total / count : nil
    }
}
