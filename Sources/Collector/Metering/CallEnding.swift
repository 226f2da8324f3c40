import CallModel

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
