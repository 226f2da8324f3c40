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
        try checkFolder()
        for place in [path, path + ".lock"] where FileManager.default.fileExists(atPath: place) {
            try checkAccess(to: place, R_OK | W_OK)
        }
    }

    /// Refuses a folder in which this account may make no file.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkFolder() throws {
        try checkAccess(to: URL(filePath: path).deletingLastPathComponent().path, W_OK | X_OK)
    }

    /// Refuses a file that this account may not read.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkReadable() throws {
        try checkAccess(to: path, R_OK)
    }

    private func checkAccess(to place: String, _ rights: CInt) throws {
        guard access(place, rights) != 0 else { return }
        let reason = String(cString: strerror(errno))
        let use = rights == R_OK ? "read" : "written to"
        throw CallStoreError.cannotOpen(name, reason: "\(place) cannot be \(use): \(reason)")
    }
}
