/// Why an import did not end well, in a sentence that says what to do.
enum ImportFailure: Error, Hashable, Sendable {
    /// The system does not let the file be read, or its gzip is broken.
    case unreadable(path: String, reason: String)
    /// The file is nothing that can be imported.
    case unrecognised(path: String, reason: String)
    /// The database takes no more of the file; so many of its reports and events are stored.
    case interrupted(path: String, stored: Int, reason: String)
    /// So many files brought nothing; what was wrong with each was said.
    case unread(files: Int, of: Int)
    /// The collector that it was posted to did not take it.
    case undelivered(to: String, reason: String)

    /// Whether another file may fare better.
    var isOfFile: Bool {
        switch self {
        case .unreadable, .unrecognised: true
        case .interrupted, .unread, .undelivered: false
        }
    }
}

extension ImportFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .unrecognised(let path, let reason): "cannot import \(path): \(reason)"
        case .interrupted(let path, let stored, let reason):
            "\(path): stopped when \(stored) of its reports and events were stored: \(reason); run it again when that "
                + "is put right; what is stored already is not stored twice"
        case .unread(1, 1): "nothing was imported"
        case .unread(let files, let total): "of \(total) files, \(files) brought nothing"
        case .undelivered(let destination, let reason):
            "cannot deliver to \(destination): \(reason); run it again when that is put right; "
                + "what is stored already is not stored twice"
        }
    }
}
