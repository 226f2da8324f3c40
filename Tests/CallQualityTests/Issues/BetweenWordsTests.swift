import CallModel
import Testing

@testable import CallQuality

/// Senders that fall silent between words (DTX) and send a packet of noise now and then.
@Suite struct BetweenWordsTests {
    /// A call whose far end says nothing from the 20th second on: `packets` a second come then, with a jitter of 34 ms.
    private func jitterIssues(packets: Double, parameters: String?, every cadence: Int) throws -> [CallIssue] {
        var quiet = ScriptedSecond()
        (quiet.packets, quiet.jitterSeconds) = (packets, 0.034)
        let call = ScriptedCall(120, bad: [20..<120], quiet)
        let summary = try call.summary(every: cadence) { _, objects in
            objects.map { object in
                guard object.type == .codec else { return object }
                var members = object.members
                members["sdpFmtpLine"] = parameters.map(JSONValue.string)
                return StatsObject(id: object.id, type: .codec, timestamp: object.timestamp, members: members)
            }
        }
        return summary.issues.all.filter { $0.kind == .jitter }
    }

    @Test(arguments: [1, 5, 10]) func `packets of noise that are sent unevenly are no jitter of the network`(
        cadence: Int
    ) throws {
        for parameters in ["minptime=10;usedtx=1", nil] {
            #expect(try jitterIssues(packets: 5, parameters: parameters, every: cadence) == [])
        }
    }

    @Test(arguments: [1, 5, 10]) func `those of sound that flows, or of a sender that does not fall silent, are`(
        cadence: Int
    ) throws {
        #expect(try jitterIssues(packets: 50, parameters: "minptime=10;usedtx=1", every: cadence).count == 1)
        #expect(try jitterIssues(packets: 8, parameters: "minptime=10;useinbandfec=1", every: cadence).count == 1)
    }
}
