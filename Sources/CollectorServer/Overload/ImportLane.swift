import Dispatch

/// Reads files that are imported.
///
/// Of a long file that takes seconds, so it is done on threads of its own: those that everything else runs on are as few as
/// processors. Long files take turns, so that just one is being read.
///
/// A class, for all requests share it.
final class ImportLane: Sendable {
    private let threads = DispatchQueue(label: "sidetone.import", attributes: .concurrent)
    private let turns = DispatchQueue(label: "sidetone.import.long")

    /// So many bytes are read without waiting: some hundredths of a second.
    static let mostShort = 1 << 20

    /// Reads something of a file of so many bytes, of a long one when its turn comes, on a thread that nobody else waits for.
    func run<Value: Sendable>(bytes: Int, _ read: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            (bytes > Self.mostShort ? turns : threads).async { continuation.resume(returning: read()) }
        }
    }
}
