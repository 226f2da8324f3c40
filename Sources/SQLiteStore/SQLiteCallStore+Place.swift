import CallModel
import Foundation

extension SQLiteCallStore {
    /// Looks whether a database could be opened for writing, or made, and changes nothing. One that another process writes
    /// to could be, once that has ended.
    ///
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``, as ``open(path:outbox:)`` does.
    public static func checkPlace(_ path: String) throws {
        let file = DatabaseFile(path)
        try file.checkKind()
        try file.checkRights()
        try file.checkBeforeWriting()
    }
}

extension DatabaseFile {
    /// Refuses what this account may not write to: the file, its lock, and the folder, in which SQLite makes a log.
    fileprivate func checkRights() throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let files = [path, path + ".lock"].filter { FileManager.default.fileExists(atPath: $0) }
        for place in [folder] + files where access(place, place == folder ? W_OK | X_OK : R_OK | W_OK) != 0 {
            let reason = String(cString: strerror(errno))
            throw CallStoreError.cannotOpen(name, reason: "\(place) cannot be written to: \(reason)")
        }
    }
}
