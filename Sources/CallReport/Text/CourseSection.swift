import CallModel

/// What happened besides the media: the states, what was asked for and what came of it, how the call was set up to be.
struct CourseSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let told = [quality, difference, network, devices, duration, operations, tones, sources].compactMap { $0 }
        let items = problems + told + configuration
        let isWorthTelling = course.tellsStates && !context.summary.isFromWire
        guard !items.isEmpty || !course.lanes.isEmpty || isWorthTelling, !context.summary.isFromWire else { return [] }
        return [Line("Course", .heading) + Line(" (by the client's events)")]
            + (states.map { Wrap.lines($0, columns: context.columns, hanging: 4) } ?? [])
            + items.flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }

    private var course: CallCourse { context.summary.course }

    private var states: String? {
        guard !course.phases.isEmpty else { return nil }
        let shown = course.phases.prefix(Self.most).map { "\(context.offset(of: $0.time)) \($0.phase.words)" }
        let more = course.phases.count > Self.most ? [" … \(course.phases.count - Self.most) more"] : []
        return "states: " + (shown + more).joined(separator: ", ")
    }

    private static let most = 20

    private var problems: [String] {
        let shown = course.problems.prefix(Self.most).map { problem in
            "\(context.offset(of: problem.time)) \(problem.kind.words): \(problem.name.printable.cutAtEnd(to: 120))"
        }
        return shown
            + (course.problems.count > Self.most ? ["… \(course.problems.count - Self.most) more problems"] : [])
    }

    private var quality: String? {
        guard let quality = course.reportedQuality else { return nil }
        let below =
            quality.secondsBelow60 > 0 ? ", below 60 for \(Words.duration(seconds: quality.secondsBelow60))" : ""
        return "quality by the client's own measure: mean \(Figures.number(quality.mean.rounded()))/100, "
            + "least \(Figures.number(quality.minimum.rounded()))\(below), over "
            + "\(Words.duration(seconds: quality.coveredSeconds)), \(Words.counted(quality.changes, "change"))"
    }

    private var difference: String? {
        course.reportedQuality?.meanDifference.map {
            "its mean distance from the score above: \(Figures.number($0, "points"))"
        }
    }

    private var network: String? {
        var items: [String] = []
        if course.handovers > 0 {
            items.append(Words.counted(course.handovers, "change") + " of network without a gap")
        }
        if let retries = course.mostRetries { items.append("server tried again up to \(retries) times in a row") }
        if course.lostConnections > 0 {
            items.append("connection to the server given up \(Words.counted(course.lostConnections, "time"))")
        }
        return items.isEmpty ? nil : items.joined(separator: ", ")
    }

    private var devices: String? {
        let devices = course.lanes.filter { $0.kind == .audioDevice }.prefix(Self.most)
        let items = devices.map {
            "\(($0.value ?? "").printable.cutAtEnd(to: 40)) from \(context.offset(of: $0.span.start))"
        }
        return items.isEmpty ? nil : "audio device: " + items.joined(separator: ", ")
    }

    private var duration: String? {
        if let told = course.unfittingDuration {
            return "the client tells a length of \(Figures.number(told)), which fits neither in s nor in ms"
        }
        return course.reportedDurationMilliseconds.map {
            "the client says that the call lasted \(Words.duration(milliseconds: $0))"
        }
    }

    private var operations: String? {
        guard !course.operations.isEmpty else { return nil }
        let items = course.operations.map { operation -> String in
            let failed = operation.failed > 0 ? ", \(operation.failed) failed" : ""
            let times = operation.succeeded + operation.failed + operation.asked
            return "\(operation.name.printable) \(times)\(failed)"
        }
        return "operations: " + items.joined(separator: "; ")
    }

    private var tones: String? {
        course.tonesSent > 0 ? "\(Words.counted(course.tonesSent, "tone")) sent" : nil
    }

    /// The SSRCs that the client named, and how many of them its statistics or a probe have.
    private var sources: String? {
        guard !course.namedSources.isEmpty else { return nil }
        let known = Set(
            context.summary.streams.map(\.stream.source) + context.record.others.flatMap(\.streams).map(\.stream.source)
        )
        let found = course.namedSources.count { known.contains("\($0)") }
        return "\(Words.counted(course.namedSources.count, "SSRC")) named, \(found) of them found in streams"
    }

    private var configuration: [String] {
        course.configuration.map { ConfigurationWords($0, context.summary).lines } ?? []
    }
}
