import CallModel

/// How complete and consistent the facts are: why a figure may be doubted.
struct DataQualitySection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let doubts = self.doubts
        let text = doubts.isEmpty ? ["nothing doubtful was seen"] : doubts
        return [Line("Data quality", .heading)]
            + Wrap.lines(amount, columns: context.columns)
            + text.flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }

    private var quality: DataQuality { context.summary.dataQuality }

    private var amount: String {
        let median = quality.medianIntervalMilliseconds
        let cadence = median.map { ", one every \(Words.duration(milliseconds: $0)) (median)" } ?? ""
        let noun = isFromWire ? "snapshot" : "report"
        return "\(Words.counted(quality.reports, noun))\(cadence); "
            + "\(Words.counted(quality.events, "event")); rules version \(context.summary.rulesVersion)"
    }

    private var doubts: [String] {
        [capture, gaps, contradictions, resets, clock, step, unknownEvents, missing, roundTrip].compactMap { $0 }
            + notes
    }

    private var isFromWire: Bool { context.summary.isFromWire }

    private var capture: String? {
        context.summary.isCaptureDoubtful == true ? "the capture had faults (see Capture)" : nil
    }

    private var gaps: String? {
        guard !quality.gaps.isEmpty else { return nil }
        let shown = quality.gaps.prefix(5).map { gap in
            "\(context.offset(of: gap.start)) for \(Words.duration(milliseconds: gap.milliseconds))"
        }
        let more = quality.gaps.count > 5 ? ", … \(quality.gaps.count - 5) more" : ""
        let whose = isFromWire ? "snapshots" : "reports"
        let missed = isFromWire ? "" : quality.missedReports.map { $0 > 0 ? " (\($0) missed)" : "" } ?? ""
        return "\(Words.counted(quality.gaps.count, "gap")) without \(whose)\(missed): "
            + shown.joined(separator: ", ") + more
    }

    private var contradictions: String? {
        guard quality.contradictions > 0 else { return nil }
        return "\(Words.counted(quality.contradictions, "fact")) received with contradicting contents"
    }

    private var resets: String? {
        guard quality.counterResets > 0 else { return nil }
        return "counters started anew \(Words.counted(quality.counterResets, "time"))"
    }

    /// A client clock this far off misleads whoever compares times.
    private static let tolerableOffsetMilliseconds: UInt64 = 300_000

    private var clock: String? {
        guard let offset = quality.clockOffsetMilliseconds, offset.magnitude > Self.tolerableOffsetMilliseconds else {
            return nil
        }
        // A file is read long after it was recorded.
        guard !isFromWire || context.summary.sensor?.packetsDroppedByKernel != nil else { return nil }
        let length = Words.duration(seconds: Double(offset.magnitude) / 1000)
        let whose = isFromWire ? "probe" : "client"
        return "clock_skew: the \(whose)'s clock is \(length) \(offset > 0 ? "behind" : "ahead of") the collector's"
    }

    private var step: String? {
        guard let step = quality.clockStepMilliseconds else { return nil }
        let length = Words.duration(seconds: Double(step.magnitude) / 1000)
        return "clock_step: the client's clock was set \(step > 0 ? "forward" : "back") by \(length) during the call"
    }

    private var unknownEvents: String? {
        list("event types not known", quality.unknownEvents)
    }

    private var missing: String? {
        list("members not reported", context.summary.missingForReaders)
    }

    /// Only RTCP of both ends, or their checks of ICE, tell a probe how long the way is.
    private var roundTrip: String? {
        guard isFromWire, let basis = context.summary.basis, basis.networkDelayMilliseconds == nil else { return nil }
        return "no round trip was measured: the score takes in no delay of the path"
    }

    private var notes: [String] {
        quality.notes.prefix(10).map(\.printable)
            + (quality.notes.count > 10 ? ["… \(quality.notes.count - 10) more notes"] : [])
    }

    private func list(_ title: String, _ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let more = names.count > 20 ? ", … \(names.count - 20) more" : ""
        return "\(title): \(names.prefix(20).map(\.printable).joined(separator: ", "))\(more)"
    }
}
