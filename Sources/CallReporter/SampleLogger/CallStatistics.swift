import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the statistics of the last calls in a file, as the logger class of Kandy's SDK document does under this name, and
/// hands them to a ``Reporter``, if there is one.
///
/// It stands in for that class: an app deletes the document's copy, imports this module and keeps its calls of
/// ``saveStatistics(_:stats:)`` and ``writeLogToFile()``. What is different:
///
/// - Statistics go to the call they are of, however many calls overlap.
/// - A call known by two identifiers is one, if ``saveStatistics(_:sessionId:stats:)`` is given both.
/// - Each report is on disk when the call returns; nothing is lost because nobody wrote the file at the end, nor because it
///   came after the end.
/// - At most five calls are kept; the one that was heard of longest ago goes, and none that goes on.
/// - Text that is no JSON is counted and left out; a file that is damaged costs what is damaged. Nothing throws, and nothing
///   traps.
/// - It may be called from any thread.
///
/// The log has the document's shape, `[[callId, [statistics, …]], …]`, which `sidetone import` reads.
///
/// A class, for it owns files.
public final class CallStatistics: Sendable {
    /// The one that the document's sample uses. It keeps its files in the app's document folder, as the sample does.
    public static let sharedInstance = CallStatistics(folder: defaultFolder)

    private let state: Mutex<CallLogs>
    private let folder: String
    private let reporter = Mutex<Reporter?>(nil)

    /// - Parameter folder: where the log and what it is made of lie.
    public init(folder: String) {
        self.folder = folder
        state = Mutex(CallLogs(folder: folder + "/CallStatistics"))
    }

    /// Hands everything to a reporter from now on, too.
    public func use(_ reporter: Reporter?) {
        self.reporter.withLock { $0 = reporter }
    }

    /// Whether nothing is known of a call.
    public func checkIsNewCall(_ callId: String?) -> Bool {
        state.withLock { logs in callId.map { !logs.knows($0) } ?? true }
    }

    /// Keeps a report of a call.
    /// - Parameters:
    ///   - callId: the call's identifier (Kandy's `getId`, the Swift class's `id`).
    ///   - stats: the text of `getRTPStatistics`; `nil` is passed over.
    public func saveStatistics(_ callId: String, stats: String?) {
        saveStatistics(callId, sessionId: nil, stats: stats)
    }

    /// Keeps a report of a call that has a session identifier as well.
    /// - Parameters:
    ///   - callId: the call's identifier.
    ///   - sessionId: the identifier of its session (Kandy's `getCallId`, `sessionId`).
    ///   - stats: the text of `getRTPStatistics`; `nil` is passed over.
    public func saveStatistics(_ callId: String, sessionId: String?, stats: String?) {
        guard let stats, !stats.isEmpty else { return }
        reporter.withLock { $0 }?.report(rtpStatistics: stats, call: callId, session: sessionId)
        state.withLock { $0.add(stats, to: callId, at: Milliseconds.now) }
    }

    /// Writes the log anew. What is saved is on disk without it.
    public func writeLogToFile() {
        let text = state.withLock { $0.text }
        do {
            try FileBytes.replace(getLogFilePath(), with: Array(text.utf8))
            state.withLock { $0.trouble = nil }
        } catch {
            state.withLock { $0.trouble = "\(error)" }
        }
    }

    /// The log as it would be written: JSON.
    public var logText: String {
        state.withLock { $0.text }
    }

    /// Where the log lies: `CallStatistics.log` in the folder.
    public func getLogFilePath() -> String {
        folder + "/CallStatistics.log"
    }

    /// Forgets all calls, here; what a reporter has is delivered.
    public func clearLogs() {
        state.withLock { $0.clear() }
        writeLogToFile()
    }

    /// Reports that were no JSON, since this object was made.
    public var malformedReports: Int {
        state.withLock { $0.malformed }
    }

    /// What the disk would not do; `nil` while all is well.
    public var trouble: String? {
        state.withLock { $0.trouble }
    }

    private static var defaultFolder: String {
        let base =
            FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.path
    }
}
