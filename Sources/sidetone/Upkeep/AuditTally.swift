import CallModel
import Collector
import SQLiteStore

/// What came of the records that were derived anew.
struct AuditTally {
    /// Records of which something else was said already; it is not said again.
    private let named: Set<CallKey>
    private(set) var same = 0
    private(set) var notDue = 0
    private(set) var unlike = 0
    /// Of these the ones that cannot be derived anew, and of which nothing was said before.
    private(set) var failed = 0
    /// The first of those that are not as they were, in words.
    private(set) var examples: [String] = []

    private static let mostExamples = 10

    /// - Parameter damaged: records that cannot be read whole.
    init(besides damaged: [DamagedRecord]) {
        named = Set(damaged.map(\.key))
    }

    /// Records that had their turn.
    var done: Int { same + notDue + unlike }

    mutating func count(_ key: CallKey, _ finding: RecordAudit.Finding) {
        switch finding {
        case .same: same += 1
        case .notDue: notDue += 1
        case .different(let parts): note(key, "derived anew, it has another \(parts.joined(separator: " and "))")
        case .failed(let reason):
            if !named.contains(key) { failed += 1 }
            note(key, reason)
        }
    }

    private mutating func note(_ key: CallKey, _ finding: String) {
        unlike += 1
        guard examples.count < Self.mostExamples, !named.contains(key) else { return }
        examples.append("\(UpkeepWords.name(of: key)): \(finding)")
    }
}
