import CallModel
import Collector

/// What came of the records that were derived anew.
struct AuditTally {
    private(set) var same = 0
    private(set) var notDue = 0
    private(set) var unlike = 0
    /// The first of those that are not as they were, in words.
    private(set) var examples: [String] = []

    private static let mostExamples = 10

    /// Records that had their turn.
    var done: Int { same + notDue + unlike }

    mutating func count(_ key: CallKey, _ finding: RecordAudit.Finding) {
        let name = "call \(key.identity.call.rawValue), \(key.observer.rawValue)"
        switch finding {
        case .same: same += 1
        case .notDue: notDue += 1
        case .different(let parts): note("\(name): derived anew, it has another \(parts.joined(separator: " and "))")
        case .failed(let reason): note("\(name): \(reason)")
        }
    }

    private mutating func note(_ example: String) {
        unlike += 1
        if examples.count < Self.mostExamples { examples.append(example) }
    }
}
