import CallModel
import Collector
import NIOCore
import Synchronization

/// How calls stand, for who begins to watch.
struct LiveSnapshot: Sendable {
    /// The last event that it takes in for certain.
    var number: UInt64
    /// The event `snapshot`.
    var text: ByteBuffer
}

/// Takes snapshots; one a second of each tenant, however many begin to watch, and a new one when a call was erased.
///
/// A class, for all who watch share it.
final class LiveSnapshots: Sendable {
    private struct Taken {
        var at: Timestamp
        /// As the hub had it before.
        var erasures: UInt64
        var snapshot: Task<LiveSnapshot, any Error>
    }

    private let store: any CallStore
    private let hub: LiveHub
    private let clock: @Sendable () -> Timestamp
    private let taken = Mutex<[TenantID: Taken]>([:])

    private static let freshMilliseconds: Int64 = 1_000
    /// Calls in a snapshot; those heard of last.
    private static let mostCalls = 500

    init(store: any CallStore, hub: LiveHub, clock: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.hub = hub
        self.clock = clock
    }

    /// The calls of a tenant that go on.
    func snapshot(of tenant: TenantID) async throws -> LiveSnapshot {
        let now = clock()
        let task = taken.withLock { taken in
            let erasures = hub.erasures
            taken = taken.filter {
                abs(now.milliseconds(since: $0.value.at)) < Self.freshMilliseconds && $0.value.erasures == erasures
            }
            if let recent = taken[tenant] { return recent.snapshot }
            let task = Task { try await self.take(of: tenant, at: now) }
            taken[tenant] = Taken(at: now, erasures: erasures, snapshot: task)
            return task
        }
        return try await task.value
    }

    private func take(of tenant: TenantID, at now: Timestamp) async throws -> LiveSnapshot {
        let number = hub.last(of: tenant)
        var filter = CallFilter(tenant: tenant, now: now)
        filter.state = .live
        let page = try await store.calls(CallQuery(filter, sort: .active, limit: Self.mostCalls))
        return try await snapshot(of: CallReader.Found(store: store, isOwn: true, summaries: page.calls), at: number)
    }

    /// Records as they stand behind an event.
    func snapshot(of found: CallReader.Found, at number: UInt64) async throws -> LiveSnapshot {
        let calls = found.summaries
        let ribbons = try await found.store.ribbons(of: calls.map(\.summary.key), parts: StoredSummary.ribbonParts)
        let now = clock()
        // Calls of other servers are none that this one could tell of.
        if found.isOwn { hub.adopt(calls.map(\.summary).filter { $0.isLive(at: now) }) }
        let heads = calls.map { call -> JSONValue in
            let key = call.summary.key
            var members = call.head(at: now, ribbon: ribbons[key]).members ?? [:]
            members["inboundQuality"] = hub.score(of: key).map { .integer(Int64($0)) } ?? .null
            return .object(members)
        }
        let text = LiveTexts.text(number: number, name: "snapshot", ["calls": .array(heads)])
        return LiveSnapshot(number: number, text: ByteBuffer(string: text))
    }
}
