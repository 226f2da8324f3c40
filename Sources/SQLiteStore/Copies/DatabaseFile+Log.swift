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
}
