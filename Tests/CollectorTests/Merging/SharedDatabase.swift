import CallModel
import CallReport
import ClickHouseStore
import Foundation
import SQLiteStore
import TestSupport
import Testing

@testable import Collector

/// Two nodes that ship to one database, and one that is told everything: what is read there is to be what this one has.
final class SharedDatabase {
    /// Whom a message reaches.
    enum Way: CaseIterable {
        case first, second, both
    }

    let single: CollectorFixture
    let nodes: [CollectorFixture]
    /// The database, as each node opened it.
    let stores: [ClickHouseCallStore]
    /// What was told, in the order in which it was.
    private var number: Int64 = 0

    private init(stores: [ClickHouseCallStore]) throws {
        single = try CollectorFixture()
        nodes = try stores.map { _ in try CollectorFixture(outbox: .on(OutboxSettings())) }
        self.stores = stores
    }

    /// Runs `body` with an empty database.
    static func with(
        _ server: TestClickHouse = .oneServer, _ body: (SharedDatabase) async throws -> Void
    ) async throws {
        try await server.withDatabase { address in
            let location = try ClickHouseLocation(address, password: nil)
            let first = try await ClickHouseCallStore.open(location, node: "first")
            do {
                let second = try await ClickHouseCallStore.open(location, node: "second")
                do {
                    try await body(try SharedDatabase(stores: [first, second]))
                } catch {
                    try? await second.close()
                    throw error
                }
                try await second.close()
            } catch {
                try? await first.close()
                throw error
            }
            try await first.close()
        }
    }

    // MARK: What happens

    /// Tells it to the nodes that it reaches, and to the one that is told everything.
    func post(_ message: Message, to way: Way, tenant: TenantID = .default) async throws {
        var message = message
        number += 1
        message.receivedAt = number * 10
        var submissions = try message.submissions()
        for index in submissions.indices { submissions[index].identity.tenant = tenant }
        _ = try await single.collector.submit(submissions)
        if way != .second { _ = try await nodes[0].collector.submit(submissions) }
        if way != .first { _ = try await nodes[1].collector.submit(submissions) }
    }

    /// Ships all that waits at one node, or at both.
    /// - Returns: what was set aside.
    @discardableResult
    func ship(_ which: Int? = nil) async throws -> [CallKey: String] {
        var setAside: [CallKey: String] = [:]
        for index in which.map({ [$0] }) ?? [0, 1] {
            await nodes[index].collector.maintain()
            let (store, node) = (stores[index], nodes[index])
            let (outbox, collector) = (node.store, node.collector)
            var shipper = Shipper(
                outbox: outbox, target: { store }, limit: OutboxLimit(rows: 500, bytes: .max),
                renumber: { try await collector.renumber($0, in: outbox) })
            while case .shipped(let shipment) = try await shipper.stepThrowing() {
                setAside.merge(shipment.setAside) { $1 }
            }
        }
        return setAside
    }

    /// Makes a pass from one of the nodes.
    @discardableResult
    func merge(from node: Int = 0, _ change: (inout MergingSettings) -> Void = { _ in }) async throws
        -> MergePass.Report
    {
        var settings = MergingSettings()
        change(&settings)
        return try await Self.merge(on: stores[node], settings)
    }

    /// Makes a pass.
    static func merge(
        on store: ClickHouseCallStore, _ settings: MergingSettings = MergingSettings()
    ) async throws -> MergePass.Report {
        var pass = MergePass(on: store, settings: settings)
        return try #require(try await pass.run(now: CollectorFixture.now, isForced: true))
    }

    // MARK: What is read

    /// All reports of all records, by record.
    static func reports(_ store: any CallStore, tenant: TenantID = .default) async throws -> [CallKey: String] {
        var reports: [CallKey: String] = [:]
        for call in try await store.calls(CallQuery(tenant: tenant, now: CollectorFixture.now)).calls {
            let key = call.summary.key
            let record = try #require(try await store.record(key))
            reports[key] =
                TextReport(record, at: CollectorFixture.now, style: TextStyle(columns: 80, isColoured: false)).render()
                + JSONReport(record, at: CollectorFixture.now).value.indentedText
        }
        return reports
    }

    /// Whether the database says of every call what the one that was told everything says.
    func expectSame(
        _ calls: [CallIdentity], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        await single.collector.maintain()
        var wanted = try await single.store.contents(of: calls)
        var given = try await stores[1].contents(of: calls)
        // The one that was told everything may have an earlier fold, and the facts since.
        for key in wanted.keys { wanted[key]?.fold = nil }
        for key in given.keys { given[key]?.fold = nil }
        #expect(Set(given.keys.map(\.text)) == Set(wanted.keys.map(\.text)), comment, sourceLocation: sourceLocation)
        for (key, contents) in wanted {
            let differences = given[key].map(contents.differences) ?? ["all"]
            #expect(differences.isEmpty, "\(key.text) \(comment ?? "")", sourceLocation: sourceLocation)
        }
        let (reports, others) = (try await Self.reports(single.store), try await Self.reports(stores[0]))
        #expect(reports == others, comment, sourceLocation: sourceLocation)
        #expect(reports.values.allSatisfy { $0.count > 500 }, sourceLocation: sourceLocation)
    }
}

/// Why something was not shipped.
struct NotShipped: Error {
    var reason: String
}

extension Shipper {
    /// As ``step()``; a failure is thrown.
    fileprivate mutating func stepThrowing() async throws -> Step {
        let step = await step()
        if case .failed(_, let reason) = step { throw NotShipped(reason: reason) }
        return step
    }
}

extension StoredContents {
    /// What of another is not the same, in words.
    fileprivate func differences(_ other: StoredContents) -> [String] {
        var words: [String] = []
        if facts != other.facts { words.append("facts: \(facts.map(\.key)) and \(other.facts.map(\.key))") }
        if standsAlone != other.standsAlone { words.append("stands alone: \(standsAlone)") }
        if names != other.names { words.append("names: \(names) and \(other.names)") }
        if claims != other.claims { words.append("claims: \(claims) and \(other.claims)") }
        if record != other.record {
            let (own, its) = (record?.summary, other.record?.summary)
            words.append("record: \(String(describing: own)) and \(String(describing: its))")
            if record?.intervals != other.record?.intervals { words.append("intervals") }
            if record?.scores != other.record?.scores { words.append("scores") }
            if record?.windows != other.record?.windows { words.append("windows") }
            if record?.events != other.record?.events { words.append("events") }
            if record?.others != other.record?.others { words.append("others") }
            if record?.ties != other.record?.ties { words.append("ties") }
        }
        return words
    }
}
