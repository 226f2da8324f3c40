import CallModel

/// How the score went over the call, and how long it was in each band.
struct RibbonSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        guard !context.record.scores.isEmpty else { return [] }
        let ribbon = Ribbon(
            context.record.scores, outages: context.record.summary.outages, width: context.columns - 2)
        return [heading(ribbon), bars(ribbon), letters(ribbon)] + lanes(ribbon) + [axis(ribbon)] + legend + bands
            + worst
    }

    private func heading(_ ribbon: Ribbon) -> Line {
        let length = Words.duration(milliseconds: ribbon.intervalMilliseconds)
        let group = ribbon.groupSize == 1 ? "" : ", the worst of \(ribbon.groupSize)"
        let unit = ribbon.groupSize == 1 ? length : "\(ribbon.groupSize) × \(length)"
        return Line("Score", .heading) + Line(" (one character: \(unit)\(group); times in UTC)")
    }

    private func bars(_ ribbon: Ribbon) -> Line {
        ribbon.steps.reduce(Line("  ")) { line, step in
            line + Line(String(step.cell.bar), step.cell.band.map { .band($0) })
        }
    }

    private func letters(_ ribbon: Ribbon) -> Line {
        Line("  " + String(ribbon.steps.map(\.cell.letter)))
    }

    /// A row for each condition that the client told of, under the steps in which it held.
    private func lanes(_ ribbon: Ribbon) -> [Line] {
        let lanes = context.summary.course.lanes.filter { $0.kind != .audioDevice }
        let kinds = CallLane.Kind.allCases.filter { kind in lanes.contains { $0.kind == kind } }
        return kinds.map { kind in
            let spans = lanes.filter { $0.kind == kind }.map(\.span)
            let row = ribbon.steps.indices.map { index -> Character in
                let start = ribbon.steps[index].start
                let next = index + 1 < ribbon.steps.count ? ribbon.steps[index + 1].start : ribbon.end
                return spans.contains { $0.start < next && $0.end ?? next > start } ? kind.letter : " "
            }
            return Line(("  " + String(row) + "  " + kind.words).cutAtEnd(to: context.columns))
        }
    }

    /// Clock times below the steps they belong to, as many as there is room for.
    private func axis(_ ribbon: Ribbon) -> Line {
        let room = 18
        let marks = stride(from: 0, to: ribbon.steps.count, by: room).map { index in
            ("╵" + UTCTime(ribbon.steps[index].start).second).padded(to: room)
        }
        let text = marks.joined()
        let last = ribbon.steps.count % room
        let isCramped = last > 0 && ribbon.steps.count > room && text.columnWidth > context.columns - 2 + room - 9
        return Line("  " + (isCramped ? marks.dropLast().joined() : text))
    }

    private var legend: [Line] {
        let bands = QualityBand.allCases.map { band in
            band == .bad ? "B bad" : "\(band.letter) \(band.rawValue) ≥ \(band.lowestScore)"
        }
        return [
            Line("  ▁…█ 0…100, x mostly blackout, h mostly on hold or excused, · no score"),
            Line("  " + bands.joined(separator: ", ")),
        ]
    }

    /// How long each band lasted; those that never were are left out.
    private var bands: [Line] {
        let summary = context.summary
        let items = QualityBand.allCases.compactMap { band -> String? in
            guard let seconds = summary.secondsByBand[band], seconds > 0 else { return nil }
            return "\(band.sign) \(band.rawValue) \(Words.duration(seconds: seconds))"
        }
        let held = summary.heldSeconds > 0 ? ["\(heldWords) \(Words.duration(seconds: summary.heldSeconds))"] : []
        return Wrap.lines(items + held, separator: ", ", columns: context.columns)
    }

    /// Time that was not scored, by what it was.
    private var heldWords: String {
        let excuses = context.summary.course.lanes.filter { $0.kind.isExcused(for: .audio) && !$0.kind.isHold }
        let isDoubtful = context.summary.holds.contains(where: context.isInOneWaySound)
        guard excuses.isEmpty, !isDoubtful else { return "on hold or excused" }
        let pauses = context.summary.holds.count { $0.isSenderPause == true }
        let isHeld = pauses < context.summary.holds.count || context.summary.course.lanes.contains { $0.kind.isHold }
        return pauses == 0 ? "on hold" : isHeld ? "on hold or paused" : "sender paused"
    }

    /// The score of the worst 5 % of the time, the lowest stretch, and what was wrong in the worse of its windows.
    private var worst: [Line] {
        guard let score = context.summary.worstScore, let span = context.summary.worstSpan,
            QualityBand(score: score) != .excellent
        else { return [] }
        let windows = context.record.windows.filter { $0.start >= span.start && $0.end <= span.end ?? $0.end }
        let lowest = windows.min { $0.score ?? 101 < $1.score ?? 101 }
        let cause = lowest?.leadingCause
        let end = span.end.map { " to \(UTCTime($0).second)" } ?? ""
        let place = "\(UTCTime(span.start).second)\(end) (\(context.offset(of: span.start)))"
        // In a long call 5 % of the time are more than its lowest stretch.
        let isLong = 0.05 * context.summary.scoredSeconds > Self.stretchSeconds
        let isMean = isLong && lowest?.score ?? score < score
        let text = isMean ? "worst 5 % of the time: \(score)/100; lowest \(place)" : "worst: \(score)/100, \(place)"
        return Wrap.lines(text + (cause.map { ", \($0.name)" } ?? ""), columns: context.columns)
    }

    private static let stretchSeconds = 20.0
}
