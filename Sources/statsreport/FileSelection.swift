import CallModel

/// Which calls of a file are shown.
enum FileSelection: Hashable {
    /// The worst, a line each; in full when they are few.
    case worst
    /// Every call in full.
    case all
    /// One in full, by its identifier or another name of it.
    case call(String)

    /// What the one call is called.
    var name: String? {
        guard case .call(let name) = self else { return nil }
        return name
    }

    /// Whether the call of these records is among them.
    func includes(_ summaries: [CallSummary]) -> Bool {
        guard case .call(let name) = self else { return true }
        return summaries.contains { summary in
            summary.key.identity.call.rawValue == name
                || summary.aliases.contains { $0 == name || $0.hasSuffix(": \(name)") }
        }
    }
}
