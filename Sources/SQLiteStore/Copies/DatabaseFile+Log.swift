import CallModel
import Foundation
import GRDB

extension DatabaseFile {
    /// Takes the log away from a file that another is about to replace: SQLite would take it for the log of that one.
    ///
    /// It is written back first where that is possible, so that the file is whole as long as it has its name.
    func removeLog() throws {
        guard !companions.isEmpty else { return }
        writeLogBack()
        for companion in companions { try companion.remove() }
        // Else a power cut could undo this and not what comes next.
        try synchroniseFolder()
    }

    /// Writes the log back into the file where that is possible: a damaged one keeps its log beside it.
    func writeLogBack() {
        // Of a file that is gone or empty SQLite would remove the log.
        guard size > 0, let queue = try? DatabaseQueue(path: path) else { return }
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? queue.close()
    }

    /// Gives the database and what belongs to it a second name, and takes away the log under the first: it must not be
    /// taken for that of the file that comes there.
    /// - Returns: where the database is, unless there is none or it is empty; then where its log is, if there is one.
    func setAside(as other: DatabaseFile) throws -> (database: String?, log: String?) {
        if let taken = ([other] + other.companions).first(where: \.exists) {
            throw CallStoreError.cannotOpen(taken.name, reason: "there is such a file already; wait a second")
        }
        writeLogBack()
        let isKept = size > 0
        if isKept { try link(to: other.path) }
        for suffix in Self.companions {
            let companion = DatabaseFile(beside: self, suffix)
            if companion.exists { try companion.rename(to: other.path + suffix) }
        }
        // Else a power cut could take the second name, and the first then be that of the file that comes there.
        try synchroniseFolder()
        let log = other.companions.first { $0.size > 0 }
        return isKept ? (other.name, nil) : (nil, log?.name)
    }
}
