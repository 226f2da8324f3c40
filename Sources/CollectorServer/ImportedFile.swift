import CallModel
import ClientStats
import Synchronization

/// A file that is being imported, read on the lane of imports.
///
/// A class, for it is not read where its request runs.
final class ImportedFile: Sendable {
    /// What it was recognised as.
    let format: String
    private let byteCount: Int
    private let lane: ImportLane
    private let reader: Mutex<ImportReader>

    /// Facts that are read at once; as many refusals or parts without either.
    private static let batch = 500

    private init(_ bytes: [UInt8], in context: ParsingContext, on lane: ImportLane) throws(ClientStatsError) {
        let reader = try ImportReader(bytes, in: context)
        format = "\(reader.format)"
        byteCount = bytes.count
        self.lane = lane
        self.reader = Mutex(reader)
    }

    /// Recognises a file.
    /// - Throws: ``ClientStatsError`` when it is nothing that can be read.
    static func open(
        _ bytes: [UInt8], in context: ParsingContext, on lane: ImportLane
    ) async throws(ClientStatsError) -> ImportedFile {
        try await lane.run(bytes: bytes.count) {
            Result { () throws(ClientStatsError) in try ImportedFile(bytes, in: context, on: lane) }
        }.get()
    }

    /// Reads some hundred facts more; `nil` at the end.
    func next() async -> ParsedBody? {
        await lane.run(bytes: byteCount) { self.read() }
    }

    /// What is odd about what was read so far.
    var notes: [String] { reader.withLock { $0.notes } }

    private func read() -> ParsedBody? {
        reader.withLock { reader in
            var batch = ParsedBody()
            var (facts, parts) = (0, 0)
            while max(facts, parts, batch.refusals.count) < Self.batch, let part = reader.next() {
                batch.submissions += part.submissions
                batch.refusals += part.refusals
                batch.unknownTypes += part.unknownTypes
                batch.unknownProperties += part.unknownProperties
                facts += part.submissions.reduce(0) { $0 + $1.facts.count }
                parts += 1
            }
            return parts > 0 ? batch : nil
        }
    }
}
