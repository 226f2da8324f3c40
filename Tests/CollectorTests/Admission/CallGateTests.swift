import CallModel
import Testing

@testable import Collector

/// Which calls may begin with one transaction.
@Suite struct CallGateTests {
    private static func calls(_ numbers: Range<Int>, tenant: String = "a") -> [CallIdentity] {
        numbers.map { CallIdentity(tenant: TenantID(rawValue: tenant), call: CallID(rawValue: "\($0)")) }
    }

    /// A meter that has noted these calls.
    private static func meter(knowing calls: [CallIdentity] = []) -> CollectorMeter {
        let meter = CollectorMeter()
        meter.note(calls)
        return meter
    }

    @Test func `those that other transactions begin count, until they are among those that go on`() {
        let others = Self.calls(0..<3)
        let meter = Self.meter()
        var gate = CallGate(limit: 6, elsewhere: Set(others + Self.calls(0..<100, tenant: "b")))
        let first = Self.calls(3..<5).map { gate.admits($0, meter) }
        #expect(first == [true, true])
        meter.note(others)
        let rest = Self.calls(2..<7).map { gate.admits($0, meter) }
        #expect(rest == [true, true, true, true, false])
        #expect(gate.begun == Set(Self.calls(3..<6)))
    }

    /// To judge one call anew from all before it takes many minutes for these.
    @Test func `a body of tens of thousands of calls is judged in no time`() {
        let meter = Self.meter(knowing: Self.calls(0..<10))
        var gate = CallGate(limit: 20_010, elsewhere: Set(Self.calls(100_000..<110_000)))
        let start = ContinuousClock.now
        let admitted = Self.calls(10..<50_000).count { gate.admits($0, meter) }
        #expect(admitted == 10_000)
        #expect(start.duration(to: .now) < .seconds(60))
    }
}

extension CollectorMeter {
    /// Takes in that these calls go on.
    fileprivate func note(_ calls: [CallIdentity]) {
        let changes = calls.map { call in
            RecordChange.live(CallKey(identity: call, observer: .client, attempt: 1), at: 0)
        }
        committed(changes, since: 0, now: .live(0))
    }
}
