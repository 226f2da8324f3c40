import CallModel

/// How the call was for the others who watched it.
struct ObserverSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let others = context.record.others
        guard !others.isEmpty else { return [Line("Other ends", .heading) + Line(": none reported")] }
        return [Line("Other ends", .heading)] + others.flatMap(lines(of:))
    }

    private func lines(of other: CallSummary) -> [Line] {
        let verdict = Verdict(other, isLive: other.isLive(at: context.now))
        let name = other.key.observer.rawValue.printable
        let room = max(40, context.columns - 4 - name.columnWidth)
        return Wrap.lines("\(name): \(verdict.text(columns: room))", columns: context.columns, hanging: 4)
    }
}
