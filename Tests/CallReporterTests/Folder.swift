import Foundation

/// Gives `body` the path of a folder of its own and removes it afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reporter-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
