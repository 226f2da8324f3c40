import CallModel
import Testing

@testable import Collector

/// Outages are told once, and again when they are over.
@Suite struct StoreHealthTests {
    private let start = Timestamp(milliseconds: 1_795_230_000_000)
    private func unavailable(_ outage: StoreOutage) -> CallStoreError { .unavailable(outage, detail: "calls.sqlite") }

    @Test func `an outage is told once, with what it cost when it is over`() {
        var health = StoreHealth()
        #expect(health.note(unavailable(.diskFull), refusing: 3, at: start) == .begun(.diskFull))
        let later = start.advanced(byMilliseconds: 9_000)
        #expect(health.note(unavailable(.diskFull), refusing: 4, at: later) == nil)
        #expect(health.outage == StoreHealth.Outage(cause: .diskFull, since: start, refused: 7))
        #expect(health.noteSuccess() == .over(.init(cause: .diskFull, since: start, refused: 7)))
        #expect(health == StoreHealth())
        #expect(health.noteSuccess() == nil)
    }

    @Test func `another cause of the same outage is told, and its beginning stays`() {
        var health = StoreHealth()
        _ = health.note(unavailable(.locked), refusing: 1, at: start)
        let later = start.advanced(byMilliseconds: 5)
        #expect(health.note(unavailable(.failing), refusing: 1, at: later) == .begun(.failing))
        #expect(health.outage == StoreHealth.Outage(cause: .failing, since: start, refused: 2))
    }

    @Test func `damage is told once and stays, though other calls are stored`() {
        var health = StoreHealth()
        let damage = "calls.sqlite is damaged: page 7"
        #expect(health.note(CallStoreError.damaged("calls.sqlite", reason: "page 7"), at: start) == .damaged(damage))
        #expect(health.note(CallStoreError.damaged("calls.sqlite", reason: "page 8"), at: start) == nil)
        #expect(health.noteSuccess() == nil)
        #expect(health.damage == damage && health.outage == nil)
    }

    @Test func `damage that is met by call after call is trouble of the store, until one is stored`() {
        var health = StoreHealth()
        let damage = CallStoreError.damaged("calls.sqlite", reason: "page 7")
        func call(_ number: Int) -> CallIdentity { .init(tenant: .default, call: CallID(rawValue: "call-\(number)")) }
        for number in 0..<9 { _ = health.note(damage, refusing: 1, of: call(number), at: start) }
        // One call that is damaged is refused as often as its client tells of it.
        for _ in 0..<100 { _ = health.note(damage, refusing: 1, of: call(0), at: start) }
        _ = health.note(damage, at: start)
        #expect(health.trouble == nil)
        _ = health.note(damage, refusing: 1, of: call(9), at: start)
        #expect(health.trouble == "the database is damaged")
        _ = health.noteSuccess()
        #expect(health.trouble == nil)
        _ = health.note(unavailable(.diskFull), refusing: 1, at: start)
        #expect(health.trouble == StoreOutage.diskFull.words)
    }

    @Test func `other errors are no outage`() {
        var health = StoreHealth()
        #expect(health.note(CallStoreError.failed("odd"), refusing: 1, at: start) == nil)
        #expect(health.note(CollectorError.closing, refusing: 1, at: start) == nil)
        #expect(health == StoreHealth())
    }
}
