import CallModel
import Testing

@testable import CallQuality

/// Holds in which both ends stop sending, as clients have them that do not say what they played.
@Suite struct HeldBothWaysTests {
    /// Ten seconds in which nothing comes, of sound or pictures, and this end sends so many packets a second.
    private func call(sending packets: Double, seconds: Range<Int> = 22..<32) -> ScriptedCall {
        var still = ScriptedSecond()
        (still.packets, still.videoPackets, still.videoBytes, still.frames) = (0, 0, 0, 0)
        still.sent = packets
        return ScriptedCall(60, bad: [seconds], still)
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

    /// Checks of ICE come every 2.5 s while the path is up, on hold, too; pairs that are given up are counted no more.
    @Test(arguments: [1, 10], [true, false]) func `where not even checks of ICE come it is no hold`(
        cadence: Int, isUp: Bool
    ) throws {
        let found = try call(sending: 0, seconds: 20..<50).summary(every: cadence) { seconds, objects in
            objects.map { object in
                var other = object
                if object.id == "IA" { other.members = object.members.filter { !Self.concealment.contains($0.key) } }
                guard object.type == .candidatePair else { return other }
                let up = isUp ? seconds : min(seconds, 20) + max(0, seconds - 50)
                (other.members["responsesReceived"], other.members["requestsReceived"]) = (.double(up / 2.5), 1)
                if !isUp, seconds > 40, seconds < 50 { other.members = other.members.filter { $0.value.number == nil } }
                return other
            }
        }
        #expect(found.outages.isEmpty == isUp)
        #expect(found.issues.all.map(\.kind).contains(.blackout) == !isUp)
        if isUp { #expect(abs(found.holds.reduce(0) { $0 + $1.seconds } - 30) < 0.5) }
    }

    /// Of the path of a hold that comes later nothing is told by it, where nobody told that it was up again.
    @Test(arguments: [1, 10]) func `nor while ICE is disconnected`(cadence: Int) throws {
        var call = call(sending: 0)
        call.events = [
            ScriptedCall.event("iceState", "iceConnected", at: 0),
            ScriptedCall.event("iceState", "iceDisconnected", at: 12),
        ]
        #expect(try summary(call, every: cadence).outages == [])
        call.events = [
            ScriptedCall.event("iceState", "iceConnected", at: 0),
            ScriptedCall.event("iceState", "iceDisconnected", at: 22.5),
            ScriptedCall.event("iceState", "iceConnected", at: 32.5),
        ]
        let found = try summary(call, every: cadence)
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
