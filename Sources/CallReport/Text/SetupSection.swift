import CallModel

/// How the call was set up: the events in a row, then the latencies L1-L8 and L15.
struct SetupSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        [Line("Setup", .heading)] + timeline + table + anomalies
    }

    private var setup: SetupLatencies { context.summary.setup }

    private var timeline: [Line] {
        let events = setupEvents
        guard !events.isEmpty else {
            return [
                Line(context.summary.isFromWire ? "  no signalling was seen" : "  no event of the setup was reported")
            ]
        }
        let items = events.map { event in
            let delay = context.delaySinceCreation(of: event.time).map { "+\($0)" }
            return "\(delay ?? Figures.unknown) \(event.type.printable)"
        }
        return Wrap.lines(items, separator: "  ", columns: context.columns)
    }

    /// The first of each type that belongs to a setup, in order of time.
    private var setupEvents: [CallEvent] {
        var seen: Set<String> = []
        return context.record.events.filter { Self.isOfSetup($0) && seen.insert($0.type).inserted }
    }

    private static func isOfSetup(_ event: CallEvent) -> Bool {
        guard event.action == "sip" else { return event.meanings.contains(where: isOfSetup) }
        return ["INVITE", "ACK", "CANCEL"].contains(event.type) || EventVocabulary.isSIPStatus(event.type)
    }

    private static func isOfSetup(_ meaning: EventMeaning) -> Bool {
        switch meaning {
        case .created, .alerted, .requestSent, .requestAccepted, .ringing, .ringingShown, .earlyMedia, .answered,
            .established, .mediaPending, .preparingViews, .active, .gathered, .iceConnected,
            .remoteMedia(isPresent: true):
            true
        default: false
        }
    }

    private var table: [Line] {
        var undefined = SetupLatencies()
        (undefined.anomalies, undefined.isEndKnown) = (setup.anomalies, setup.isEndKnown)
        if context.summary.isFromWire { return WireSetup(setup).lines }
        guard setup != undefined else { return [Line("  L1–L8 and L15: –")] }
        guard context.summary.createdAt != nil else { return withoutCreation }
        let left = [
            ["L1", "request sent", Figures.milliseconds(setup.restSentDelay)],
            ["L2", "post-dial delay", Figures.milliseconds(setup.postDialDelay)],
            ["L2n", "network post-dial", Figures.milliseconds(setup.networkPostDialDelay)],
            ["L3", "ringing", Figures.milliseconds(setup.ringTime)],
            ["L4", "answered", Figures.milliseconds(setup.answerDelay)],
        ]
        let right = [
            ["L5", "ICE connected", Figures.milliseconds(setup.iceConnectTime)],
            ["L6", "answer to ICE", Figures.milliseconds(setup.mediaSetup)],
            ["L7", "ICE gathering", gathering],
            ["L8", "first media", firstMedia],
            ["L15", "call / in all", durations],
        ]
        let columns = [3, 17, 10, 3, 13, 22].map { TextTable.Column(limit: $0) }
        return TextTable(columns: columns, rows: zip(left, right).map { $0 + $1 }).lines + others
            + WireSetup(setup).dialog
    }

    /// What only some clients tell.
    private var others: [Line] {
        let known: [(String, Int64?)] = [
            ("L3 rang unanswered", setup.ringTimeUnanswered), ("L9 waiting for media", setup.mediaPendingTime),
            ("L11 told to answered", setup.alertToAnswer), ("L12 request accepted", setup.requestAccepted),
            ("L13 answer to connected", setup.connectTime), ("L14 first quality", setup.firstQualityDelay),
            ("L16 registered", setup.registrationTime), ("ended after the time-out by", setup.timeoutSlack),
        ]
        let items = known.compactMap { name, length in length.map { "\(name): \($0) ms" } }
        return Wrap.lines(items, separator: ", ", columns: context.columns)
    }

    /// An end that did not place the call has no anchor for most latencies.
    private var withoutCreation: [Line] {
        let outcome = setup.iceOutcome.map { ["L7 ICE gathering: \($0.words)"] } ?? []
        let media = setup.mediaSetup.map { ["L6 answer to ICE: \(Figures.milliseconds($0))"] } ?? []
        let items = media + outcome + ["L15 call / in all: \(durations)", "others: – (no callCreate from this end)"]
        return Wrap.lines(items, separator: ", ", columns: context.columns) + others
    }

    private var gathering: String {
        if setup.isGatheringReported == false, setup.iceOutcome == nil { return "n/a (trickle)" }
        let outcome = setup.iceOutcome.map { ", \($0.words)" } ?? ""
        return (setup.iceGatheringUpperBound.map { "≤ \($0) ms" } ?? Figures.unknown) + outcome
    }

    /// Media came between the last report without packets and the first with some.
    private var firstMedia: String {
        guard let latest = setup.firstMediaBy else { return Figures.unknown }
        return setup.firstMediaAfter.map { "\($0)…\(latest) ms" } ?? "≤ \(latest) ms"
    }

    private var durations: String { setup.durationWords }

    private var anomalies: [Line] {
        guard !setup.anomalies.isEmpty else { return [] }
        let text = "odd: " + setup.anomalies.map(\.printable).joined(separator: ", ")
        return Wrap.lines(text, columns: context.columns, hanging: 4)
    }
}

extension SetupLatencies {
    /// L15, `65.6 / 75.0 s`: of the call, and of all of it.
    var durationWords: String {
        guard callDuration != nil || totalDuration != nil else { return Figures.unknown }
        let least = isEndKnown ? "" : "≥ "
        let parts = [callDuration, totalDuration].map { length in
            length.map { least + Figures.fixed(Double($0) / 1000, places: $0 < 1_000_000 ? 1 : 0) } ?? Figures.unknown
        }
        return parts.joined(separator: " / ") + " s"
    }
}

extension SetupLatencies.IceOutcome {
    /// How gathering ended, in a few words.
    var words: String {
        switch self {
        case .normal: "normal"
        case .oneRelay: "one relay"
        case .noRelay: "no relay"
        }
    }
}
