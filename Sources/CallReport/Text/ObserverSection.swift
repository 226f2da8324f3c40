import CallModel

/// How the call was for the others who watched it.
struct ObserverSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let others = context.record.others
        guard !others.isEmpty else { return [Line("Other ends", .heading) + Line(": none reported")] }
        guard others.count > Self.limit else { return [Line("Other ends", .heading)] + others.flatMap(lines(of:)) }
        let shown = WorstCalls(of: others, limit: Self.limit).worst
        return [Line("Other ends", .heading) + Line(" (worst first)")] + shown.flatMap(lines(of:))
            + [Line("  … \(others.count + context.record.othersLeftOut - shown.count) more")]
    }

    /// A call has two ends and a few probes; of a conference nobody reads all.
    private static let limit = 20

    private func lines(of other: CallSummary) -> [Line] {
        let verdict = Verdict(other, isLive: other.isLive(at: context.now))
        let name = name(of: other.key)
        let room = max(40, context.columns - 4 - name.columnWidth)
        return Wrap.lines("\(name): \(verdict.text(columns: room))", columns: context.columns, hanging: 4)
    }

    /// Of a call with another id, that id too, and what says that it is this one.
    private func name(of other: CallKey) -> String {
        let observer = other.observer.rawValue.printable
        guard let related = context.record.related(other) else { return observer }
        return "\(observer) of \(other.identity.call.rawValue.printable) (\(related.words.printable))"
    }
}
