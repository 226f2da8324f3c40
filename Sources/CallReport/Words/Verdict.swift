import CallModel

/// What a call came to, in one line: the headline, and the reasons for it, most important first.
struct Verdict {
    /// `✕ bad 41/100, worst 0`, or what stands in the place of a score.
    let headline: String
    /// `blackout 5.0 s at 12:34:56`, …; may be empty.
    let reasons: [String]
    /// Those of ``reasons`` that someone may have noticed.
    let complaints: [String]
    /// `nil` without a score, and of a call that was never answered: what was heard until then was not the call.
    let band: QualityBand?

    init(_ summary: CallSummary, isLive: Bool) {
        let live = isLive ? "live: " : ""
        let mixed = [MixedEnds(summary)?.words].compactMap { $0 }
        if let score = summary.score, summary.outcome(isLive: isLive) != .notAnswered {
            let band = QualityBand(score: score)
            let reasons = Reasons(summary)
            headline = "\(live)\(Self.rated(score, worst: summary.worstScore))"
            self.reasons = mixed + reasons.all
            complaints = mixed + reasons.complaints
            self.band = band
        } else {
            let (headline, endings) = Self.withoutScore(summary, isLive: isLive)
            let early = summary.score.map { ["early media \(Self.rated($0, worst: summary.worstScore))"] } ?? []
            (self.headline, reasons, complaints, band) = (headline, mixed + endings + early, mixed + endings, nil)
        }
    }

    /// `✕ bad 41/100, worst 0`.
    private static func rated(_ score: Int, worst: Int?) -> String {
        let band = QualityBand(score: score)
        return "\(band.sign) \(band.rawValue) \(score)/100" + (worst.map { ", worst \($0)" } ?? "")
    }

    /// Headline and all reasons.
    var text: String {
        text(reasons.count)
    }

    /// Headline and as many reasons as fit, at least one.
    func text(columns: Int) -> String {
        let count = (1...max(1, reasons.count)).last { text($0).columnWidth <= columns } ?? 1
        return text(count)
    }

    private func text(_ count: Int) -> String {
        reasons.isEmpty ? headline : headline + " — " + reasons.prefix(count).joined(separator: "; ")
    }

    private static func withoutScore(_ summary: CallSummary, isLive: Bool) -> (String, [String]) {
        if isLive { return ("live: no score yet", []) }
        switch summary.outcome {
        case .notAnswered:
            let cause = summary.course.endCause.flatMap { $0 == .unknown ? nil : $0.words }
            let said = summary.endReason.map(\.printable)
            let ending = cause.map { $0 + (said.map { " (\($0))" } ?? "") } ?? said.map { "ended: \($0)" }
            return ("not answered", ending.map { [$0] } ?? [])
        case .notConnected:
            if summary.isFromWire { return ("no media: answered, but none was seen on the wire", []) }
            let lack = summary.setup.iceConnectTime == nil ? "ICE never connected" : "keys were never agreed on"
            return ("never connected: answered, but \(lack) and no media flowed", [])
        case .unknown where summary.awaitsAnswer:
            return ("no score: neither an answer nor an end of it was seen", [])
        case .connected where summary.isReportedOnce, .unknown where summary.isReportedOnce:
            return ("no score: reported once only, and what happened lies between two reports", [])
        case .connected where summary.isTooShortForScore:
            return ("no score: less than a second of media", [])
        case .connected, .unknown:
            let missing = summary.missingForReaders.map(\.printable).joined(separator: ", ")
            let suffix = missing.isEmpty ? "" : " (missing: \(missing))"
            let verb = summary.isFromWire ? "seen" : "reported"
            return ("no score: nothing was \(verb) that could be scored" + suffix, Reasons(summary).severeIssues)
        }
    }
}

/// Why a call has the score it has, as short clauses.
private struct Reasons {
    let summary: CallSummary

    init(_ summary: CallSummary) {
        self.summary = summary
    }

    /// ``complaints``, or that there are none; what a call with hardly anything to complain of lost is only traces, and not told
    /// beside what someone noticed.
    var all: [String] {
        let told = complaints
        guard told.isEmpty || isTraces && issues.isEmpty else { return told }
        let clauses = clauses
        return clauses.isEmpty ? ["nothing to complain of"] : ["traces of \(clauses[0])"] + clauses.dropFirst() + ending
    }

    /// What someone may have noticed, most important first.
    var complaints: [String] { (isTraces ? [] : clauses) + issues + ending }

    private var isTraces: Bool {
        summary.band == .excellent && summary.outages.isEmpty && !clauses.isEmpty
    }

    /// What stands at the end of it: silence, and that nobody hung up.
    private var ending: [String] {
        [silence, summary.course.endCause == .error ? "ended by an error" : nil].compactMap { $0 }
    }

    /// Blackouts first, for a mean hides them; then the causes by cost. How much sound was made up is said once.
    private var clauses: [String] {
        var clauses = blackouts.map { [$0] + [madeUp].compactMap { $0 } } ?? []
        var isShareSaid = !clauses.isEmpty
        for cause in summary.causesByCost where (summary.costs[cause] ?? 0) >= 1 {
            guard cause != .blackout || summary.outages.isEmpty else { continue }
            let share = cause.isConcealment && !isShareSaid ? madeUp : nil
            isShareSaid = isShareSaid || share != nil
            clauses.append(clause(of: cause) + (share.map { ": \($0)" } ?? ""))
        }
        if clauses.isEmpty, severeIssues.isEmpty, let cause = summary.leadingCause { clauses.append(cause.name) }
        return clauses
    }

    /// Beside what cost points, what cannot cost any.
    private var issues: [String] {
        clauses.isEmpty || isTraces ? severeIssues : severeIssues { $0.isOutsideScore }
    }

    /// The sender sent nothing any more until the call ended, for longer than people who talk are silent: nobody knows whether it
    /// was muted or cut off.
    private var silence: String? {
        guard let ended = summary.endedAt, let last = summary.holds.last, last.isSenderPause == true,
            last.seconds.isFinite, last.seconds >= Self.leastSilence,
            abs(ended.seconds(since: last.span.end ?? ended)) <= Self.leastSilence / 4
        else { return nil }
        return "no sound for the last \(Words.duration(seconds: last.seconds))"
    }

    private static let leastSilence = 10.0

    /// What is no small matter, the most severe first.
    var severeIssues: [String] { severeIssues { _ in true } }

    private func severeIssues(_ isMeant: (CallIssue) -> Bool) -> [String] {
        var names: [String] = []
        for issue in summary.issues.all where issue.severity != .notice && isMeant(issue) {
            if !names.contains(issue.nameOfItsOwn) { names.append(issue.nameOfItsOwn) }
        }
        return names
    }

    private var blackouts: String? {
        let outages = summary.outages.filter { $0.seconds.isFinite }
        guard let longest = outages.max(by: { $0.seconds < $1.seconds }) else { return nil }
        let total = Words.duration(seconds: outages.reduce(0) { $0 + $1.seconds })
        guard outages.count < MediaOutage.mostKept else { return "at least \(outages.count) blackouts" }
        guard outages.count == 1 else { return "\(outages.count) blackouts, \(total) in all" }
        let place = longest.isPlaced ? "at" : "after"
        return "blackout \(total) \(place) \(UTCTime(longest.span.start).second)"
    }

    private func clause(of cause: QualityCause) -> String {
        switch cause {
        case .delay: cause.name + (roundTrip.map { ": round trip \($0)" } ?? "")
        case .jitterBuffer: cause.name + (buffer.map { ": \($0)" } ?? "")
        case .stretch: cause.name + (stretched.map { ": \($0) of the sound" } ?? "")
        case .freeze: cause.name + (frozen.map { ": \($0)" } ?? "")
        case .loss: cause.name + (lost.map { ": \($0)" } ?? "")
        case .late: cause.name + (late.map { ": \($0)" } ?? "")
        case .burst: cause.name + (lossRun.map { " of \($0)" } ?? "")
        // That of an outage is told as such; here it is too short for one, or the end of the call.
        case .blackout: "silence"
        default: cause.name
        }
    }

    /// What was made up is known to the receiver alone; a probe says what it saw itself.
    private var lost: String? {
        summary.isFromWire ? most(.audio, \.lossPercent).map(roundedPercent) : nil
    }

    private var late: String? {
        guard summary.isFromWire, let late = summary.basis?.latePercent, late.isFinite else { return nil }
        return roundedPercent(late)
    }

    private var lossRun: String? {
        guard summary.isFromWire, let run = summary.basis?.meanLossRun, run.isFinite else { return nil }
        return Figures.number(run)
    }

    /// `9 % of the sound made up`, as the score has it: without pauses, holds and what the jitter buffer takes to fill.
    private var madeUp: String? {
        guard let basis = summary.basis, basis.isRepairAssumed == nil, basis.concealedPercent.isFinite,
            basis.concealedPercent >= 0.1
        else { return nil }
        return "\(roundedPercent(basis.concealedPercent)) of the sound made up"
    }

    private var stretched: String? {
        most(.audio, \.stretchedPercent).map(roundedPercent)
    }

    private var buffer: String? {
        most(.audio, \.jitterBufferMilliseconds).map { Figures.number($0.rounded(), "ms") }
    }

    /// Nothing of a picture that still stands: no amount would be `0.0 s`.
    private var frozen: String? {
        most(.video, \.frozenSeconds).flatMap { $0 < 0.05 ? nil : Words.duration(seconds: $0) }
    }

    private var roundTrip: String? {
        let mean = summary.streams.compactMap(\.roundTripMilliseconds).max() ?? summary.path.roundTripMilliseconds
        return mean.map { Figures.number($0.rounded(), "ms") }
    }

    private func most(_ kind: MediaKind, _ figure: KeyPath<StreamSummary, Double?>) -> Double? {
        summary.streams.filter { $0.stream.direction == .inbound && $0.stream.kind == kind }
            .compactMap { $0[keyPath: figure] }.filter(\.isFinite).max()
    }

    private func roundedPercent(_ value: Double) -> String {
        Figures.fixed(value, places: value < 1 ? 1 : 0) + " %"
    }
}

extension CallIssue {
    /// What is lost or late either way is told apart.
    fileprivate var nameOfItsOwn: String {
        let isSent = stream?.direction == .outbound && (kind == .packetLoss || kind == .jitter)
        return isSent ? "\(words) of what was sent" : words
    }

    /// Whether it says nothing of what this end heard and saw, which is all that is scored.
    fileprivate var isOutsideScore: Bool {
        if stream?.direction == .outbound { return true }
        return switch kind {
        case .oneWayAudio, .silentMicrophone, .silentFarEnd, .echo, .slowSetup, .unacknowledgedAnswer: true
        default: false
        }
    }
}

extension QualityCause {
    fileprivate var isConcealment: Bool {
        self == .loss || self == .burst || self == .late
    }
}

extension CallSummary {
    /// Whether it was created, and had neither been answered nor ended by the last that was heard of it.
    fileprivate var awaitsAnswer: Bool {
        outcome == .unknown && createdAt != nil && endedAt == nil && setup.answerDelay == nil
    }

    /// Whether a client reported all of its streams once.
    fileprivate var isReportedOnce: Bool {
        !isFromWire && !streams.isEmpty && streams.allSatisfy { $0.intervals == 0 && $0.packets ?? 0 > 0 }
    }

    /// Whether no stream lasted for as long as it takes to be scored (docs/score.md).
    fileprivate var isTooShortForScore: Bool {
        !streams.isEmpty && streams.allSatisfy { $0.lastSeen.milliseconds(since: $0.firstSeen) < 1_000 }
    }
}
