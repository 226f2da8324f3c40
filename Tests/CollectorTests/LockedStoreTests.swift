import CallModel
import Logging
import Testing

@testable import Collector

/// A store that another program holds locked, which is found out by waiting.
@Suite struct LockedStoreTests {
    @Test(.timeLimit(.minutes(1))) func `who waited while the store was found locked does not wait for that anew`()
        async throws
    {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = CallCollector(
            store: store, retention: Retention(calls: 10), clock: { CollectorFixture.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        store.fail([
            .held({ for await _ in released {} }, CallStoreError.unavailable(.locked, detail: "calls.sqlite"))
        ])
        let answers = (0..<4).map { number in
            Task { try await collector.submit(try Self.message(number).submissions()) }
        }
        // The first is being tried, the others wait in the line.
        while await collector.queue.submissions < 3 || store.given.isEmpty { await Task.yield() }
        release.finish()
        for answer in answers {
            await #expect {
                try await answer.value
            } throws: { error in
                if case CallStoreError.unavailable(.locked, _) = error { true } else { false }
            }
        }
        #expect(store.given.count == 1)
        let outage = StoreHealth.Outage(cause: .locked, since: CollectorFixture.now, refused: 4)
        #expect(await collector.storeHealth.outage == outage)

        // Who comes now is the one for whom it is tried again.
        #expect(try await collector.submit(try Self.message(4).submissions()) == [[.accepted]])
        #expect(await collector.storeHealth.outage == nil)
        #expect(try await fixture.listed() == ["c-4/client/1"])
    }

    private static func message(_ number: Int) -> Message {
        .event("callMetric", "callCreate", at: Int64(number), call: "c-\(number)")
    }
}
