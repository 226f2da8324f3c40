import CallModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import sidetone

/// The queue between the packets and their destination, and how often delivery is tried.
@Suite struct CaptureDeliveryTests {
    /// Facts that differ by their time.
    private static func facts(_ numbers: ClosedRange<Int>) -> [CapturedFact] {
        numbers.map { number in
            let event = CallEvent(
                time: Timestamp(milliseconds: Int64(number)), receivedAt: Timestamp(milliseconds: 0), action: "sip",
                type: "INVITE")
            return CapturedFact(
                call: CallID(rawValue: "c"), observer: ObserverID(rawValue: "wire:caller"), fact: .event(event))
        }
    }

    @Test(arguments: [
        (Handover.Limits(facts: 3), 3, 2), (Handover.Limits(bytes: 2 * 1024 + 1), 2, 3), (Handover.Limits(), 5, 0),
    ])
    func `a live capture does not wait: what has no room is counted`(
        limits: Handover.Limits, waiting: Int, lost: Int
    ) {
        let handover = Handover(limits: limits)
        handover.offer(Self.facts(1...5))
        #expect(handover.counts.waiting == waiting)
        #expect(handover.counts.lost == lost)
        #expect(handover.take() == Self.facts(1...waiting))
        #expect(handover.counts.waiting == waiting, "what is being delivered waits")
        handover.confirm()
        #expect(handover.counts.waiting == 0)
    }

    @Test func `batches are as large as a collector takes`() {
        let handover = Handover(limits: Handover.Limits(batchFacts: 2, batchBytes: 1024))
        handover.offer(Self.facts(1...2))
        #expect(handover.take() == Self.facts(1...1))
        #expect(handover.take() == Self.facts(2...2))
        #expect(handover.take() == [])
    }

    @Test func `the reader of a file waits for room, and nothing is lost`() async {
        let handover = Handover(limits: Handover.Limits(facts: 2, batchFacts: 2))
        let thread = Thread {
            _ = handover.put(Self.facts(1...9))
            handover.close()
        }
        thread.start()
        let script = Script([])
        await #expect(throws: Never.self) { try await Self.courier(handover, script, patience: .seconds(60)).run() }
        #expect(script.delivered == Self.facts(1...9))
        #expect(handover.counts.waiting == 0 && handover.counts.lost == 0)
    }

    @Test func `a reader whose facts no one wants is let go`() async {
        let handover = Handover(limits: Handover.Limits(facts: 1))
        handover.abandon()
        #expect(handover.put(Self.facts(1...3)) == false)
    }

    @Test func `what is not taken now is tried again, in order`() async throws {
        let handover = Handover(limits: Handover.Limits(batchFacts: 2))
        let script = Script([.later(reason: "busy", seconds: 0), .later(reason: "busy", seconds: nil)])
        let courier = Self.courier(handover, script, patience: nil)
        handover.offer(Self.facts(1...3))
        handover.close()
        try await courier.run()
        #expect(script.delivered == Self.facts(1...3))
        #expect(courier.tally.counts == DeliveryTally.Counts(receipt: DeliveryReceipt(accepted: 3)))
    }

    @Test func `what is never taken is counted by a live capture, and ends the reading of a file`() async throws {
        let never = DeliveryError.never(reason: "it answers 404")
        let live = Handover(limits: Handover.Limits(batchFacts: 2))
        let courier = Self.courier(live, Script([never]), patience: nil)
        live.offer(Self.facts(1...3))
        live.close()
        try await courier.run()
        #expect(courier.tally.counts == DeliveryTally.Counts(receipt: DeliveryReceipt(accepted: 1), rejected: 2))

        let file = Handover()
        file.offer(Self.facts(1...3))
        file.close()
        await #expect(throws: CaptureFailure.undelivered(to: "there", reason: "it answers 404")) {
            try await Self.courier(file, Script([never]), patience: .seconds(60)).run()
        }
        #expect(file.counts.waiting == 3)
    }

    private static func courier(_ handover: Handover, _ script: Script, patience: Duration?) -> Courier {
        Courier(
            handover: handover, delivery: script, tally: DeliveryTally(), patience: patience,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test(arguments: [
        ("http://h", "http://h/v1/wire"), ("https://h:8080/", "https://h:8080/v1/wire"),
        ("http://[::1]:80/a/", "http://[::1]:80/a/v1/wire"), ("http://h/v1/wire", "http://h/v1/wire"),
        ("h:8080", nil), ("ftp://h", nil), ("http://", nil), ("http://u:p@h", nil), ("http://h/?a=b", nil), ("", nil),
    ])
    func `the address of a collector is completed, and what is none is refused`(text: String, url: String?) {
        #expect(CollectorAddress(argument: text)?.url == url)
    }
}

/// A destination that first fails as written and then takes everything.
private final class Script: Delivery {
    let destination = "there"
    private let state: Mutex<(failures: [DeliveryError], delivered: [CapturedFact])>

    init(_ failures: [DeliveryError]) {
        state = Mutex((failures, []))
    }

    var delivered: [CapturedFact] { state.withLock { $0.delivered } }

    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryReceipt {
        try state.withLock { state throws(DeliveryError) in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            state.delivered += facts
            return DeliveryReceipt(accepted: facts.count)
        }
    }
}
