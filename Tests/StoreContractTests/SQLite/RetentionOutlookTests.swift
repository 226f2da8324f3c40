import CallModel
import Foundation
import GRDB
import StoreParts
import Testing

@testable import SQLiteStore

@Suite struct RetentionOutlookTests {
    private func call(_ name: String, tenant: String = "t", last: Int64) -> CallActivity {
        CallActivity(
            tenant: tenant, call: name, attempt: 1, lastReceivedAt: at(last), lastReceivedUnended: nil)
    }

    private func ended(_ name: String, minute: Int64) -> RecordChange {
        .sample(.sample(.sample(name), start: at((minute - 1) * 60_000), endedAt: at(minute * 60_000)))
    }

    @Test func `it is clear until the first call reaches its age, or there are too many of one tenant`() {
        let calls = [call("a", last: 500), call("b", last: 700), call("a", tenant: "u", last: 900)]
        let retention = Retention(calls: 4, milliseconds: 10_000)
        var outlook = RetentionOutlook(calls, lastRecord: 3, retention: retention, now: at(1000))
        #expect([10_499, 10_500].map { outlook.isClear(at: at($0)) } == [true, false])
        outlook.takeIn(records: 2, last: 5, firstReceipt: at(400))
        #expect([10_399, 10_400].map { outlook.isClear(at: at($0)) } == [true, false])
        outlook.takeIn(records: 1, last: 6, firstReceipt: at(2000))
        #expect(!outlook.isClear(at: at(2000)))
    }

    @Test func `without an age it is clear for an hour at most`() {
        let outlook = RetentionOutlook(
            [call("a", last: 0)], lastRecord: 1, retention: Retention(calls: 1), now: at(1000))
        #expect([3_600_999, 3_601_000].map { outlook.isClear(at: at($0)) } == [true, false])
    }

    @Test func `calls that come, age and are erased go when they have to, whatever was known`() async throws {
        let other = CallKey.sample("other", tenant: TenantID(rawValue: "other"))
        try await StoreUnderTest.sqlite.run { store in
            let retention = Retention(calls: 3, milliseconds: 600_000)
            func evicted(at minute: Int64) async throws -> [Int] {
                let report = try await store.enforce(retention, now: at(minute * 60_000))
                return [report.evictedByCount, report.evictedByAge]
            }
            try await store.commit([ended("a", minute: 1), ended("b", minute: 2)])
            try await store.commit([.sample(.sample(other, endedAt: at(0)))])
            #expect(try await evicted(at: 3) == [0, 0])
            try await store.commit([ended("c", minute: 3)])
            #expect(try await evicted(at: 4) == [0, 0])
            try await store.commit([ended("d", minute: 4)])
            #expect(try await evicted(at: 5) == [1, 0])
            #expect(try await evicted(at: 6) == [0, 0])
            #expect(try await store.erase(.sample("d"), now: at(360_000)) == 1)
            try await store.commit([ended("e", minute: 5)])
            #expect(try await evicted(at: 7) == [0, 0])
            #expect(try await evicted(at: 12) == [0, 2])
            #expect(try await evicted(at: 13) == [0, 1])
            #expect(try await store.counts().calls == 1)
        }
    }

    @Test func `calls that stay are not looked at every few seconds`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([ended("a", minute: 1), ended("b", minute: 2)])
            let retention = Retention(calls: 10, milliseconds: 86_400_000)
            func evicted(at minute: Int64) async throws -> Int {
                try await store.enforce(retention, now: at(minute * 60_000)).evictedByAge
            }
            #expect(try await evicted(at: 33) == 0)
            // Who looked at it would see that it has to go.
            try await DatabaseQueue(path: path).write { db in
                try db.execute(sql: "UPDATE record SET lastReceivedAt = lastReceivedAt - 90000000 WHERE callId = 'a'")
            }
            #expect(try await evicted(at: 60) == 0)
            #expect(try await evicted(at: 33 + 60) == 1)
            try await store.close()
        }
    }
}
