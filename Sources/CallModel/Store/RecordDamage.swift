/// A part of a record that is stored and cannot be understood. The rest of the record is shown without it.
public struct RecordDamage: Hashable, Sendable {
    /// What of a record can be damaged.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The summary; what the columns of the record's row say stands for it.
        case summary
        /// What lists filter by and fleets count.
        case outline
        /// Intervals and scores.
        case series
        /// Events, as a client told them.
        case events
        /// Reports, as a client told them.
        case reports
        /// Snapshots of a probe.
        case wireReports

        /// Whether it follows from what clients and probes said: deriving the record anew mends it.
        public var isDerived: Bool {
            switch self {
            case .summary, .outline, .series: true
            case .events, .reports, .wireReports: false
            }
        }
    }

    /// What is damaged.
    public var part: Part
    /// Which value of it was met first, as ``CallStoreError/damaged(_:reason:)`` names it.
    public var place: String
    /// Why that cannot be understood.
    public var reason: String

    public init(_ part: Part, of place: String, reason: String) {
        self.part = part
        self.place = place
        self.reason = reason
    }

    /// The error for those who can do nothing without it.
    public var error: CallStoreError { .damaged(place, reason: reason) }

    /// What whoever reads the call is told.
    public var words: String {
        switch part {
        case .summary: "the stored summary is damaged: but for times, score and outcome, nothing of it is shown"
        case .outline: "what lists filter by is damaged: filters by codec and issue pass the record over"
        case .series: "stored intervals and scores are damaged, and left out"
        case .events: "stored events are damaged, and left out"
        case .reports: "stored reports are damaged, and left out"
        case .wireReports: "stored snapshots of a probe are damaged, and left out"
        }
    }
}

/// What was read of a record, and what could not be.
public struct PartlyRead<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What can be understood.
    public var value: Value
    /// What is left out of it, once a part; empty when nothing is.
    public var damage: [RecordDamage]

    public init(_ value: Value, damage: [RecordDamage] = []) {
        self.value = value
        self.damage = damage
    }
}
