import CallModel
import Metrics

/// Counters of what became of the facts that were submitted.
struct FactInstruments: Sendable {
    private let reports: Outcomes
    private let wire: Outcomes
    /// By ``EventLabel``; of those that were stored.
    private let events: [String: Counter]
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) {
        reports = Outcomes(of: "sidetone_ingest_reports_total", factory)
        wire = Outcomes(of: "sidetone_ingest_wire_reports_total", factory)
        events = Dictionary(
            uniqueKeysWithValues: EventLabel.all.map { ($0, Self.counter(ofEvents: $0, "accepted", factory)) })
        self.factory = factory
    }

    func count(_ fact: Fact, _ outcome: FactOutcome) {
        switch fact {
        case .report: reports.count(outcome)
        case .wire: wire.count(outcome)
        case .event(let event):
            let type = EventLabel.of(event)
            if outcome == .accepted {
                events[type]?.increment()
            } else {
                // Rare: not worth an instrument of each type from the start.
                Self.counter(ofEvents: type, outcome.label, factory).increment()
            }
        }
    }

    private static func counter(ofEvents type: String, _ outcome: String, _ factory: any MetricsFactory) -> Counter {
        Counter(
            label: "sidetone_ingest_events_total", dimensions: [("type", type), ("outcome", outcome)], factory: factory)
    }

    /// A counter for each outcome.
    private struct Outcomes: Sendable {
        private let accepted: Counter
        private let repeated: Counter
        private let contradicted: Counter
        private let refused: Counter

        init(of name: String, _ factory: any MetricsFactory) {
            func counter(_ outcome: FactOutcome) -> Counter {
                Counter(label: name, dimensions: [("outcome", outcome.label)], factory: factory)
            }
            accepted = counter(.accepted)
            repeated = counter(.repeated)
            contradicted = counter(.contradicted)
            refused = counter(.refused(.evicted))
        }

        func count(_ outcome: FactOutcome) {
            switch outcome {
            case .accepted: accepted.increment()
            case .repeated: repeated.increment()
            case .contradicted: contradicted.increment()
            case .refused: refused.increment()
            }
        }
    }
}

extension FactOutcome {
    fileprivate var label: String {
        switch self {
        case .accepted: "accepted"
        case .repeated: "repeated"
        case .contradicted: "contradicted"
        case .refused: "refused"
        }
    }
}

/// The word under which an event is counted: what it says, whatever client says it. A fixed vocabulary.
enum EventLabel {
    /// Of events whose type the product does not know.
    static let other = "other"

    static let all = [
        "created", "alerted", "requestSent", "requestAccepted", "ringing", "earlyMedia", "answered", "mediaPending",
        "established", "active", "gathered", "iceConnected", "iceDisconnected", "remoteMedia", "held", "resumed",
        "addressChange", "condition", "quality", "connection", "registration", "ended", "failed", "operation",
        "problem", "note", other,
    ]

    static func of(_ event: CallEvent) -> String {
        event.meanings.first.map(name) ?? other
    }

    /// A table: one line for each meaning, or for those that belong together.
    private static func name(of meaning: EventMeaning) -> String {
        switch meaning {
        case .created: "created"
        case .alerted: "alerted"
        case .requestSent: "requestSent"
        case .requestAccepted: "requestAccepted"
        case .ringing, .ringingShown: "ringing"
        case .earlyMedia: "earlyMedia"
        case .answered: "answered"
        case .mediaPending, .preparingViews: "mediaPending"
        case .established: "established"
        case .active: "active"
        case .gathered: "gathered"
        case .iceConnected: "iceConnected"
        case .iceDisconnected: "iceDisconnected"
        case .remoteMedia: "remoteMedia"
        case .held: "held"
        case .resumed: "resumed"
        case .addressChangeStarted, .addressChangeEnded: "addressChange"
        case .condition, .audioDevice: "condition"
        case .quality: "quality"
        case .connectionRetry, .connectionLost, .connectionRestored, .network: "connection"
        case .registering, .registered: "registration"
        case .ended: "ended"
        case .failed: "failed"
        case .operation: "operation"
        case .problem: "problem"
        case .tones, .configured, .streams, .noted: "note"
        }
    }
}
