import CallModel
import Testing

@testable import Collector

/// What cannot be read is told once.
@Suite struct DamageLedgerTests {
    private let call = CallKey(
        identity: CallIdentity(tenant: .default, call: CallID(rawValue: "call")),
        observer: ObserverID(rawValue: "caller"), attempt: 1)
    private let summary = RecordDamage(.summary, of: "the summary of a call", reason: "no JSON")
    private let events = RecordDamage(.events, of: "an event", reason: "no JSON")

    @Test func `each part of a record is new once`() {
        var ledger = DamageLedger()
        #expect(ledger.note([], of: call) == [] && ledger.records == 0)
        #expect(ledger.note([summary], of: call) == [summary])
        #expect(ledger.note([summary, events], of: call) == [events])
        #expect(ledger.records == 1)
    }

    @Test func `a record that was derived anew is whole, until damage is met again`() {
        var ledger = DamageLedger()
        ledger.noteMended(call)
        #expect(ledger.records == 0)
        _ = ledger.note([summary], of: call)
        ledger.noteMended(call)
        #expect(ledger.records == 0 && ledger.isMended(call))
        #expect(ledger.note([summary], of: call) == [])
        #expect(ledger.records == 1 && !ledger.isMended(call))
        ledger.forget(call.identity)
        #expect(ledger.records == 0)
    }
}
