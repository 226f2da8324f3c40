extension StatsReport {
    /// Noted where nothing in a report tells when it was taken: it stands at its receipt.
    public static let receiptNote = "no usable timestamp; placed at its receipt"
}

extension Fact {
    /// What a retry has in common with a fact that stands at its receipt, for then their keys differ: of an event its name
    /// and the time that it was sent with, of a report its connection and content. `nil` for facts with a time of their own.
    public var repeatHash: ContentHash? {
        guard time == receivedAt else { return nil }
        switch self {
        case .event(let event):
            return event.members["implausibleTime"].map { ContentHash(of: "\(key.name)\u{1}\($0.canonicalText)") }
        case .report(let report) where report.notes.contains(StatsReport.receiptNote):
            let contents = report.objects.map { "\($0.key.type.rawValue)\u{1}\($0.id)\u{1}\($0.contentHash.rawValue)" }
            return ContentHash(of: "\(key.name)\u{1}\(contents.joined(separator: "\u{1}"))")
        default: return nil
        }
    }

    /// The events among facts of a record and of its sessions, in order of ``key``, each once.
    public static func events(among facts: [Fact]) -> [CallEvent] {
        withoutRepeats(united(facts)).compactMap { fact in
            if case .event(let event) = fact { event } else { nil }
        }
    }

    /// Of facts in order of ``key`` those that no earlier one says already.
    public static func withoutRepeats(_ facts: [Fact]) -> [Fact] {
        var seen: Set<ContentHash> = []
        return facts.filter { fact in fact.repeatHash.map { seen.insert($0).inserted } ?? true }
    }
}
