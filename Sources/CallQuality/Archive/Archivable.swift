/// A part of a call's state that can be put into bytes and taken out again, exactly.
///
/// Every report of a call that goes on needs its state: `Codable` takes more time for that than all the rest together
/// (`docs/performance.md`), and the bytes are what a live call takes of memory.
///
/// Members are written and read in one order, without names. Whoever adds a member adds it to both functions; what was
/// written by another layout is not read (``ArchiveHeader``) but folded anew.
protocol Archivable {
    func write(to archive: inout ArchiveWriter)
    init(from archive: inout ArchiveReader) throws(ArchiveError)

    /// Writes a value that may be missing.
    static func write(_ value: Self?, to archive: inout ArchiveWriter)
    /// Reads a value that may be missing.
    static func readOptional(from archive: inout ArchiveReader) throws(ArchiveError) -> Self?
}

extension Archivable {
    static func write(_ value: Self?, to archive: inout ArchiveWriter) {
        archive.put(byte: value == nil ? 0 : 1)
        value?.write(to: &archive)
    }

    static func readOptional(from archive: inout ArchiveReader) throws(ArchiveError) -> Self? {
        try archive.byte() == 0 ? nil : try Self(from: &archive)
    }
}

/// Bytes that are no archive, or not one of this layout.
struct ArchiveError: Error, Hashable {}
