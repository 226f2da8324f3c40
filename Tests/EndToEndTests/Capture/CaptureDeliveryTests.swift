import CallModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import sidetone

/// The queue between the packets and their destination, and how often delivery is tried.
@Suite struct CaptureDeliveryTests {
    /// Facts that differ by their time.
    private static func facts(_ numbers: ClosedRange<Int>, call: String = "c") -> [CapturedFact] {
        numbers.map { number in
            let event = CallEvent(
                time: Timestamp(milliseconds: Int64(number)), receivedAt: Timestamp(milliseconds: 0), action: "sip",
                type: "INVITE")
            return CapturedFact(
                call: CallID(rawValue: call), observer: ObserverID(rawValue: "wire:caller"), fact: .event(event))
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
        let never = DeliveryError.never(reason: "it answers 400")
        let live = Handover(limits: Handover.Limits(batchFacts: 2))
        let courier = Self.courier(live, Script([never]), patience: nil)
        live.offer(Self.facts(1...3))
        live.close()
        try await courier.run()
        #expect(courier.tally.counts == DeliveryTally.Counts(receipt: DeliveryReceipt(accepted: 1), rejected: 2))

        let file = Handover()
        file.offer(Self.facts(1...3))
        file.close()
        await #expect(throws: CaptureFailure.undelivered(to: "there", reason: "it answers 400")) {
            try await Self.courier(file, Script([never]), patience: .seconds(60)).run()
        }
        #expect(file.counts.waiting == 3)
    }

    @Test(
        arguments: [
            (0, 0, 0, "0 facts stored", nil),
            (0, 2, 3, "0 facts stored, 5 lost", .lost(facts: 5, to: "there")),
            (1, 0, 3, "0 facts stored, 3 lost, 1 not delivered", .leftBehind(facts: 1, to: "there", reason: nil)),
        ] as [(Int, Int, Int, String, CaptureFailure?)])
    func `what nobody would have is lost, and a capture that lost something did not end well`(
        waiting: Int, lost: Int, rejected: Int, words: String, failure: CaptureFailure?
    ) {
        let summary = CaptureSummary(
            source: "eth0", destination: "there", view: Sensor.View(),
            delivery: DeliveryTally.Counts(rejected: rejected), waiting: waiting, lost: lost)
        #expect(summary.totals.last == "there: \(words)")
        #expect(summary.undelivered == failure)
    }

    // MARK: Calls that are too many

    @Test(arguments: [nil, Duration.seconds(60)])
    func `facts of a call that is one too many hold up no others, and come again`(patience: Duration?) async throws {
        let handover = Handover(limits: Handover.Limits(batchFacts: 2, postponement: .seconds(3600)))
        let (others, more) = (Self.facts(1...3), Self.facts(4...6, call: "more"))
        let script = Script([], tooMany: 2)
        let courier = Self.courier(handover, script, patience: patience)
        handover.offer([others[0], more[0], more[1], more[2], others[1], others[2]])
        handover.close()
        try await courier.run()
        #expect(script.delivered == others + more)
        #expect(courier.tally.counts == DeliveryTally.Counts(receipt: DeliveryReceipt(accepted: 6)))
        #expect(handover.counts.waiting == 0)
    }

    @Test func `what was put off is taken first once its time has come, and waits meanwhile`() {
        let handover = Handover(limits: Handover.Limits(postponement: .zero))
        handover.offer(Self.facts(1...2))
        #expect(handover.postpone(handover.take()) == [])
        #expect(handover.counts.waiting == 2)
        handover.confirm()
        handover.offer(Self.facts(3...3))
        #expect(handover.counts.waiting == 3)
        #expect(handover.take() == Self.facts(1...3))

        let patient = Handover(limits: Handover.Limits(postponement: .seconds(3600)))
        #expect(patient.postpone(Self.facts(1...2)) == [])
        patient.offer(Self.facts(3...3))
        #expect(patient.take() == Self.facts(3...3))
        #expect(patient.recallPostponed() == .seconds(3600))
        #expect(patient.take() == Self.facts(1...2))
        #expect(patient.recallPostponed() == nil)
    }

    @Test(arguments: [Handover.Limits(postponedFacts: 1), Handover.Limits(postponedBytes: 2047)])
    func `what cannot be put off is counted by a live capture, and tried again by the reading of a file`(
        limits: Handover.Limits
    ) async throws {
        let more = Self.facts(1...3, call: "more")
        let live = Handover(limits: limits)
        let courier = Self.courier(live, Script([], tooMany: 1), patience: nil)
        live.offer(more)
        live.close()
        try await courier.run()
        #expect(courier.tally.counts.receipt == DeliveryReceipt(accepted: 1))
        #expect(courier.tally.counts.rejected == 2)

        let script = Script([], tooMany: 1)
        let file = Handover(limits: limits)
        file.offer(more)
        file.close()
        try await Self.courier(file, script, patience: .seconds(60)).run()
        #expect(script.delivered == [more[1], more[2], more[0]])
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

/// A destination that first fails as written, then finds the call "more" one too many so often, and then takes everything.
private final class Script: Delivery {
    let destination = "there"
    private let state: Mutex<(failures: [DeliveryError], tooMany: Int, delivered: [CapturedFact])>

    init(_ failures: [DeliveryError], tooMany: Int = 0) {
        state = Mutex((failures, tooMany, []))
    }

    var delivered: [CapturedFact] { state.withLock { $0.delivered } }

    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryOutcome {
        try state.withLock { state throws(DeliveryError) in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            let tooMany = state.tooMany > 0 ? facts.filter { $0.call.rawValue == "more" } : []
            let taken = facts.filter { !tooMany.contains($0) }
            state.tooMany -= 1
            state.delivered += taken
            return DeliveryOutcome(receipt: DeliveryReceipt(accepted: taken.count), tooMany: tooMany)
        }
    }
}
