/// Why a capture did not end well, in a sentence that says what to do.
enum CaptureFailure: Error, Hashable, Sendable {
    /// What was captured could not be delivered.
    case undelivered(to: String, reason: String)
    /// When the program had to stop, so many facts had not been delivered, and are lost.
    case leftBehind(facts: Int, to: String, reason: String?)
    /// So many facts were lost while the capture went on: nobody would have them, or there was no room while they waited.
    case lost(facts: Int, to: String)
    /// When the program had to stop, so many changes of records had not been shipped, and wait in the database.
    case unshipped(changes: Int, to: String)
    /// When the program had to stop, it was waiting for more of a pipe.
    case stuck(source: String)
}

extension CaptureFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .undelivered(let destination, let reason):
            "cannot deliver to \(destination): \(reason); run it again when that is put right; "
                + "what is stored already is not stored twice"
        case .leftBehind(let facts, let destination, let reason):
            "\(facts) \(facts == 1 ? "fact was" : "facts were") not delivered to \(destination) in time"
                + (reason.map { ": \($0)" } ?? "") + "; --flush-seconds is how long to try"
        case .lost(let facts, let destination):
            "\(facts) \(facts == 1 ? "fact was" : "facts were") lost on the way to \(destination); what is above says why"
        case .unshipped(let changes, let destination):
            "\(changes) \(changes == 1 ? "change was" : "changes were") not shipped to \(destination) in time; "
                + "sidetone migrate ships what waits in the database; --flush-seconds is how long to try"
        case .stuck(let source):
            "\(source) did not end when it was time to stop; what its packets said of calls that were going on is not kept"
        }
    }
}
