import CallModel

/// The records that something was heard of lately, to tell how many calls go on and when one is over.
struct LiveCalls {
    /// Records known at a time; those beyond are not metered.
    static let limit = 200_000
    /// How long a call that was ended is waited for: the last reports come after the end, and change the score.
    static let graceMilliseconds: Int64 = 30_000
    /// How long a record is known after it was last heard of, so that what comes late does not count a call twice.
    static let memoryMilliseconds: Int64 = 300_000

    private struct Call {
        var heardAt: Timestamp
        var hasEnded: Bool
        var ending: CallEnding
        var isCounted = false

        var isLive: Bool { !hasEnded && !isCounted }
    }

    private var calls: [CallKey: Call] = [:]

    /// Calls that go on.
    private(set) var count = 0

    /// Takes in how a record stands.
    /// - Parameters:
    ///   - summary: the record.
    ///   - isNews: whether a fact came, or what was known was only derived anew.
    ///   - now: the collector's clock.
    mutating func note(_ summary: CallSummary, isNews: Bool, now: Timestamp) {
        if var call = calls[summary.key] {
            count -= call.isLive ? 1 : 0
            if isNews { call.heardAt = now }
            call.hasEnded = summary.endedAt != nil
            call.ending = CallEnding(summary)
            count += call.isLive ? 1 : 0
            calls[summary.key] = call
        } else if isNews, calls.count < Self.limit {
            let call = Call(heardAt: now, hasEnded: summary.endedAt != nil, ending: CallEnding(summary))
            count += call.isLive ? 1 : 0
            calls[summary.key] = call
        }
    }

    /// The calls that are over and were not told of yet.
    mutating func takeEndings(now: Timestamp) -> [CallEnding] {
        var over: [CallKey] = []
        var old: [CallKey] = []
        for (key, call) in calls {
            let silence = now.milliseconds(since: call.heardAt)
            let patience = call.hasEnded ? Self.graceMilliseconds : CallSummary.silenceLimitMilliseconds
            if !call.isCounted, silence >= patience { over.append(key) }
            if silence >= Self.memoryMilliseconds { old.append(key) }
        }
        let endings = over.compactMap { calls[$0]?.ending }
        for key in over {
            count -= calls[key]?.isLive == true ? 1 : 0
            calls[key]?.isCounted = true
        }
        for key in old { calls[key] = nil }
        return endings
    }
}

/// How a call went, as far as it is metered.
struct CallEnding: Hashable, Sendable {
    /// A part of the setup that is metered.
    enum Phase: Int, CaseIterable {
        case postDial, ring, answer, iceConnect, mediaSetup, firstMedia
    }

    /// Why it ended: a raw value of `CallEndCause`, or ``silent``.
    var reason: String
    /// 0...100; nil when it has none.
    var score: Int?
    /// By ``Phase``, in ms; negative where not known. In 32 bytes, for one is kept of every live call.
    private var phases = SIMD8<Int32>(repeating: -1)

    /// Of calls of which no more was heard, by clients that do not tell of ends.
    static let silent = "silent"

    init(_ summary: CallSummary) {
        let cause = summary.endCause(isLive: false)
        reason = cause?.rawValue ?? (summary.endedAt == nil ? Self.silent : CallEndCause.unknown.rawValue)
        score = summary.score
        let setup = summary.setup
        for (phase, milliseconds) in [
            (Phase.postDial, setup.postDialDelay), (.ring, setup.ringTime), (.answer, setup.answerDelay),
            (.iceConnect, setup.iceConnectTime), (.mediaSetup, setup.mediaSetup), (.firstMedia, setup.firstMediaBy),
        ] {
            // Negative where the path stood before the answer: no duration.
            if let milliseconds { phases[phase.rawValue] = Int32(clamping: milliseconds) }
        }
    }

    /// How long a phase took, in ms; nil when that is not known.
    func milliseconds(_ phase: Phase) -> Int32? {
        phases[phase.rawValue] < 0 ? nil : phases[phase.rawValue]
    }
}
