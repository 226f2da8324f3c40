import CallModel
import Testing

@testable import CallQuality

/// A hold that only the playout clock tells of, and that begins and ends within reports of a second.
@Suite struct HeldPictureTests {
    /// On hold from 34.54 s to 44.3 s: of two reports it has less than half a second.
    private static let call: ScriptedCall = {
        var held = ScriptedSecond()
        (held.packets, held.videoPackets, held.videoBytes, held.frames) = (0, 0, 0, 0)
        var call = ScriptedCall(90, bad: [35..<44], held)
        (call.seconds[34].packets, call.seconds[34].videoPackets, call.seconds[34].frames) = (27, 30, 10)
        (call.seconds[44].packets, call.seconds[44].videoPackets, call.seconds[44].frames) = (35, 40, 14)
        (call.seconds[44].freezes, call.seconds[44].frozenSeconds) = (1, 10.1)
        return call
    }()

    private static func played(by seconds: Double) -> Double {
        seconds <= 34 ? seconds : seconds <= 44 ? 34.54 : seconds - 9.76
    }

    @Test func `the edges of a hold are no freeze`() throws {
        let summary = try Self.call.summary(every: 1) { seconds, objects in
            objects.map { object in
                var other = object
                guard object.type == .inboundRTP else { return object }
                if object.id == "IA" {
                    other.members["totalSamplesReceived"] = .double((48_000 * Self.played(by: seconds)).rounded())
                    other.members["totalSamplesDuration"] = .double(Self.played(by: seconds))
                }
                let last = (35...44).contains(seconds) ? 34.53 : seconds - 0.02
                other.members["lastPacketReceivedTimestamp"] = .integer(ScriptedCall.at(last).milliseconds)
                return other
            }
        }
        #expect(summary.issues.all == [])
        #expect(summary.holds.count == 1)
    }
}
