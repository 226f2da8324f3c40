import CallModel

/// The verdict with its reason, which call it is of, and the facts that place it.
struct VerdictSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        verdictLines + lateDataLines + captureLines + factLines + aliasLines
    }

    private var name: String {
        let key = context.summary.key
        return "Call \(key.identity.call.rawValue.printable) (\(key.observer.rawValue.printable))"
    }

    /// In one line with the name of the call if that fits, else the name comes below.
    private var verdictLines: [Line] {
        let verdict = Verdict(context.summary, isLive: context.isLive)
        let whole = "\(name): \(verdict.text)"
        if whole.columnWidth <= context.columns {
            return [Line("\(name): ") + coloured(verdict.text, verdict)]
        }
        let text = Wrap.lines(verdict.text(columns: context.columns), columns: context.columns, indent: 0)
        let first = text.prefix(1).map { coloured($0.rendered(isColoured: false), verdict) }
        return first + text.dropFirst() + Wrap.lines(name, columns: context.columns, indent: 0)
    }

    private func coloured(_ text: String, _ verdict: Verdict) -> Line {
        guard let band = verdict.band, text.hasPrefix(verdict.headline) else { return Line(text) }
        return Line(verdict.headline, .band(band)) + Line(String(text.dropFirst(verdict.headline.count)))
    }

    private var lateDataLines: [Line] {
        let late = context.record.isDirty ? ["Late data is being worked in; figures may still change."] : []
        let isWhole = context.record.damage.isEmpty
        let damage = isWhole ? [] : ["Part of what is stored of it is damaged: read Data quality."]
        return (late + damage).map { Line($0) }
    }

    /// Who reads on takes loss for the network's.
    private var captureLines: [Line] {
        guard context.summary.isCaptureDoubtful == true else { return [] }
        return [Line("The capture itself had faults: read Capture before you blame the network.")]
    }

    private var aliasLines: [Line] {
        let names = context.record.ties.names.filter(\.isCertain).map(\.words)
        let aliases = context.summary.aliases + names.filter { !context.summary.aliases.contains($0) }
        let shown = aliases.prefix(10).map { "  also known by \($0.printable)" }
        let more = aliases.count > 10 ? ["  … \(aliases.count - 10) more names"] : []
        return (shown + more).flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }

    private var factLines: [Line] {
        Wrap.lines(facts, separator: ", ", columns: context.columns, indent: 0)
    }

    private var facts: [String] {
        let summary = context.summary
        var facts = ["Start \(summary.start.iso8601)", length, outcome]
        if let client = summary.client { facts.append("client \(client.printable)") }
        if let score = summary.farEndScore { facts.append("the far end heard \(score)/100 by its RTCP") }
        if summary.key.attempt > 1 { facts.append("attempt \(summary.key.attempt)") }
        if let ending = summary.ending(isLive: context.isLive) { facts.append("ended: \(ending)") }
        if summary.outlivesCapture { facts.append("the capture ended before the call did") }
        if summary.isFromWire {
            facts.append(
                "seen on the wire" + (summary.watchedEnd.map { " towards \(Self.article($0))\($0.printable)" } ?? ""))
        }
        return facts
    }

    /// Ends without signalling have letters for names.
    private static func article(_ end: String) -> String { end.count == 1 ? "" : "the " }

    private var length: String {
        let summary = context.summary
        let end = summary.endedAt ?? summary.lastActivity
        let seconds = Words.duration(milliseconds: end.milliseconds(since: summary.start))
        if summary.endedAt != nil { return seconds }
        if summary.isStale(at: context.now) {
            let silence = Words.duration(milliseconds: context.now.milliseconds(since: summary.lastReceivedAt))
            return "\(seconds) so far, stale: nothing heard for \(silence)"
        }
        return context.isLive ? "\(seconds) so far" : "\(seconds) until last heard of"
    }

    private var outcome: String {
        switch context.summary.outcome(isLive: context.isLive) {
        case .connected: "connected"
        case .notConnected: "not connected"
        case .notAnswered: "not answered"
        case .unknown: "outcome unknown"
        }
    }
}
