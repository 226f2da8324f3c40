import CallModel
import ClickHouseStore
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A kind of store that keeps the contract: every contract test runs once for each.
enum StoreUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case clickHouse = "ClickHouse"
    /// Two shards of two replicas.
    case clickHouseCluster = "ClickHouse cluster"

    /// Those that have an empty store at once.
    static let all: [StoreUnderTest] = [.sqlite, .clickHouse].filter(\.isAvailable)
    /// A cluster takes two seconds to make its tables: for tests whose statements are of all sorts.
    static let allAndCluster = allCases.filter(\.isAvailable)

    var testDescription: String { rawValue }

    /// In CI all are: the absence of one fails.
    private var isAvailable: Bool {
        switch self {
        case .sqlite: true
        case .clickHouse: TestClickHouse.oneServer.isAvailable
        case .clickHouseCluster: TestClickHouse.cluster.isAvailable
        }
    }

    /// Runs `body` on an empty store, and removes it afterwards.
    func run(_ body: (any CallStore) async throws -> Void) async throws {
        switch self {
        case .sqlite:
            try await withTemporaryFolder { folder in
                try await Self.run(
                    body, on: try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path))
            }
        case .clickHouse: try await Self.run(body, on: .oneServer)
        case .clickHouseCluster:
            // Its nodes make tables one after another; who waits for long gives up.
            await Self.clusterTurns.enter()
            do {
                try await Self.run(body, on: .cluster)
            } catch {
                await Self.clusterTurns.leave()
                throw error
            }
            await Self.clusterTurns.leave()
        }
    }

    private static let clusterTurns = Turns()

    private static func run(
        _ body: (any CallStore) async throws -> Void, on server: TestClickHouse
    ) async throws {
        try await server.withDatabase { address in
            try await run(
                body, on: try await ClickHouseCallStore.open(ClickHouseLocation(address, password: nil), node: "test"))
        }
    }

    private static func run(
        _ body: (any CallStore) async throws -> Void, on store: some CallStore
    ) async throws {
        do {
            try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}

/// Lets one after another in.
private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
    }

    /// Whoever is next finds it taken: nobody comes in between.
    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}

/// Runs `body` with a folder of its own, and removes that afterwards.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "StoreContractTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}
