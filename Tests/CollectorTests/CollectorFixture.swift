import CallModel
import CallReport
import Foundation
import Logging
import SQLiteStore

@testable import Collector

/// A collector on a real database in a directory of its own, which it can close and open again.
final class CollectorFixture {
    let directory: URL
    private(set) var store: SQLiteCallStore
    private(set) var collector: CallCollector
    private let retention: Retention
    private let limits: CollectorLimits
    private let outbox: OutboxKeeping
    let clock: SettableClock

    init(
        retention: Retention = Retention(calls: 10_000), limits: CollectorLimits = CollectorLimits(),
        now: Timestamp = CollectorFixture.now, outbox: OutboxKeeping = .asBefore
    ) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "collector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.retention = retention
        self.limits = limits
        self.outbox = outbox
        clock = SettableClock(now)
        store = try Self.open(directory, outbox)
        collector = Self.collector(on: store, retention, limits, clock)
    }

    var databasePath: String { directory.appending(path: "calls.sqlite").path }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// An hour after the recordings were made.
    static let now = Timestamp(milliseconds: 1_795_233_000_000)

    /// As a restart of the program: what was in memory is gone.
    func restart() async throws {
        try await store.close()
        store = try Self.open(directory, outbox)
        collector = Self.collector(on: store, retention, limits, clock)
        try await adoptRecords()
    }

    /// What `run()` does first after a start.
    private func adoptRecords() async throws {
        try await collector.adoptDirtyRecords()
        await collector.adoptLiveCalls()
    }

    private static func open(_ directory: URL, _ outbox: OutboxKeeping) throws -> SQLiteCallStore {
        try SQLiteCallStore.open(path: directory.appending(path: "calls.sqlite").path, outbox: outbox)
    }

    private static func collector(
        on store: SQLiteCallStore, _ retention: Retention, _ limits: CollectorLimits, _ clock: SettableClock
    ) -> CallCollector {
        CallCollector(
            store: store, retention: retention, limits: limits, clock: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// The stored report of one record, after everything accepted was folded in.
    func report(_ key: CallKey) async throws -> String? {
        try await collector.settle(key.identity)
        guard let record = try await store.record(key) else { return nil }
        return TextReport(record, at: Self.now, style: TextStyle(columns: 80, isColoured: false)).render()
            + JSONReport(record, at: Self.now).value.indentedText
    }
}

/// A clock that tests set.
final class SettableClock: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Timestamp

    init(_ value: Timestamp) { self.value = value }

    var now: Timestamp {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
