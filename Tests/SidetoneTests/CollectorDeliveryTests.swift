import CallModel
import Collector
import Foundation
import Logging
import SQLiteStore
import Testing

@testable import sidetone

/// What a capture beside a server makes of the collector's outcomes.
@Suite struct CollectorDeliveryTests {
    private static let now = Timestamp(milliseconds: 1_795_233_000_000)

    private static func fact(_ call: String, _ type: String = "iceConnected", action: String = "iceState")
        -> CapturedFact
    {
        CapturedFact(
            call: CallID(rawValue: call), observer: ObserverID(rawValue: "wire:caller"),
            fact: .event(CallEvent(time: now, receivedAt: now, action: action, type: type)))
    }

    @Test func `facts of a call that is one too many are named, until there is room`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "delivery-\(UUID().uuidString).sqlite").path
        defer { for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let store = try SQLiteCallStore.open(path: path)
        let collector = CallCollector(
            store: store, retention: Retention(calls: 10), limits: CollectorLimits(liveCalls: 1),
            clock: { Self.now }, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let delivery = CollectorDelivery(collector: collector, destination: path)
        let both = [Self.fact("a"), Self.fact("b")]
        let one = DeliveryOutcome(receipt: DeliveryReceipt(accepted: 1), tooMany: [Self.fact("b")])
        #expect(try await delivery.deliver(both) == one)
        let end = try await delivery.deliver([Self.fact("a", "ENDED", action: "callState")])
        #expect(end == DeliveryOutcome(receipt: DeliveryReceipt(accepted: 1)))
        let rest = DeliveryOutcome(receipt: DeliveryReceipt(accepted: 1, repeated: 1))
        #expect(try await delivery.deliver(both) == rest)
        try await store.close()
    }
}
