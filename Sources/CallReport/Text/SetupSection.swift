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
        guard event.action == "sip" else { return types.contains(event.type) }
        return ["INVITE", "ACK", "CANCEL"].contains(event.type) || EventVocabulary.isSIPStatus(event.type)
    }

    private static let types: Set<String> = [
        "callCreate", "incomingCall", "iceNormal", "iceOneRelay", "iceNoRelay", "callRestSent", "SESSION_PROGRESS",
        "callRinging", "callAnswerReceived", "iceConnected",
    ]

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
        return TextTable(columns: columns, rows: zip(left, right).map { $0 + $1 }).lines + WireSetup(setup).dialog
    }

    /// An end that did not place the call has no anchor for most latencies.
    private var withoutCreation: [Line] {
        let outcome = setup.iceOutcome.map { ["L7 ICE gathering: \($0.words)"] } ?? []
        let media = setup.mediaSetup.map { ["L6 answer to ICE: \(Figures.milliseconds($0))"] } ?? []
        let items = media + outcome + ["L15 call / in all: \(durations)", "others: – (no callCreate from this end)"]
        return Wrap.lines(items, separator: ", ", columns: context.columns)
    }

    private var gathering: String {
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
            length.map { least + Figures.fixed(Double($0) / 1000, places: 1) } ?? Figures.unknown
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
