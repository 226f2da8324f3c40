import CallModel
import Testing

@testable import CallQuality

/// Holds in which both ends stop sending, as clients have them that do not say what they played.
@Suite struct HeldBothWaysTests {
    /// Ten seconds in which nothing comes, of sound or pictures, and this end sends so many packets a second.
    private func call(sending packets: Double) -> ScriptedCall {
        var still = ScriptedSecond()
        (still.packets, still.videoPackets, still.videoBytes, still.frames) = (0, 0, 0, 0)
        still.sent = packets
        return ScriptedCall(60, bad: [22..<32], still)
    }

    private static let concealment: Set = [
        "totalSamplesReceived", "totalSamplesDuration", "concealedSamples", "silentConcealedSamples",
        "concealmentEvents", "totalAudioEnergy",
    ]

    private func summary(_ call: ScriptedCall, every cadence: Int) throws -> CallSummary {
        try call.summary(every: cadence) { _, objects in
            objects.map { object in
                var other = object
                if object.id == "IA" { other.members = object.members.filter { !Self.concealment.contains($0.key) } }
                return other
            }
        }
    }

    @Test(arguments: [1, 10]) func `what both ends stop at once is a hold`(cadence: Int) throws {
        let found = try summary(call(sending: 0), every: cadence)
        #expect(found.holds.map { $0.isSenderPause } == [false])
        #expect(abs(found.holds.reduce(0) { $0 + $1.seconds } - 10) < 0.5)
        #expect(found.outages == [])
        #expect(found.issues.all == [])
    }

    /// The opposite: where the network fails, this end goes on.
    @Test(arguments: [1, 10]) func `while this end goes on sending it is an outage`(cadence: Int) throws {
        let found = try summary(call(sending: 50), every: cadence)
        #expect(found.holds == [])
        #expect(abs(found.outages.reduce(0) { $0 + $1.seconds } - 10) < 0.5)
        #expect(found.issues.all.map(\.kind).contains(.blackout))
    }

    /// Firefox leaves the sound of who is put on hold out of its reports meanwhile, and counts from nothing afterwards.
    private func summaryOfFirefox(
        _ call: ScriptedCall, every cadence: Int, isListed: Bool = false
    ) throws -> CallSummary {
        let (start, end) = (22.0, 32.0)
        let rates = [
            "packetsReceived": 50, "bytesReceived": 50, "totalSamplesReceived": 48_000, "totalSamplesDuration": 1.0,
        ]
        return try call.summary(every: cadence) { seconds, objects in
            objects.compactMap { object in
                guard object.id == "IA", seconds > start else { return object }
                guard isListed || seconds > end else { return nil }
                var other = object
                for (name, rate) in rates {
                    other.members[name] = .double(rate * (seconds > end ? seconds - end : start))
                }
                return other
            }
        }
    }

    @Test(arguments: [1, 10], [false, true]) func `sound that leaves the reports while this end sends none is on hold`(
        cadence: Int, isListed: Bool
    ) throws {
        let found = try summaryOfFirefox(call(sending: 0), every: cadence, isListed: isListed)
        #expect(found.holds.map { $0.isSenderPause } == [false])
        #expect(abs(found.holds.reduce(0) { $0 + $1.seconds } - 10) < 0.5)
        #expect(found.issues.all == [])
    }

    @Test(arguments: [1, 10]) func `sound that leaves the reports while this end goes on is not`(cadence: Int) throws {
        #expect(try summaryOfFirefox(call(sending: 50), every: cadence).holds == [])
    }
}
