import Logging

/// What the store was asked for when it failed.
enum StoreOperation: String, CaseIterable {
    /// Storing what was submitted.
    case append
    /// Deriving a record anew.
    case refold
    /// Removing what is beyond the limits of number and age.
    case retention
    /// Removing a call that somebody wants erased.
    case erase
    /// Reading for somebody who asked.
    case read
    /// Trying whether an outage is over.
    case probe

    /// What the log says.
    var failure: Logger.Message {
        switch self {
        case .append: "a transaction failed"
        case .refold: "a record was not folded anew"
        case .retention: "retention failed"
        case .erase: "a call was not erased"
        case .read: "reading calls failed"
        case .probe: "the store cannot be written to"
        }
    }
}
