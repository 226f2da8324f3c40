import CallModel
import Testing

@testable import CallQuality

/// A silence that is taken for a blackout until the far end's count tells that it had stopped sending.
@Suite struct RevokedBlackoutTests {
    /// Sound stops for fifteen seconds; the far end tells every four seconds how much it has sent, of which nothing is lost.
    @Test(arguments: [1, 10]) func `sound that its sender stopped was not made up for long`(cadence: Int) throws {
        var silent = ScriptedSecond()
        (silent.packets, silent.concealedSeconds, silent.silentSeconds, silent.concealments) = (0, 1, 1, 0)
        var call = ScriptedCall(90, bad: [41..<56], silent)
        (call.seconds[41].concealments, call.seconds[41].silentSeconds) = (1, 0.9)
        call.hasVideo = false
        let sent = call.seconds.map(\.packets)
        let summary = try call.summary(every: cadence) { seconds, objects in
            let told = Int(seconds) / 4 * 4
            guard told > 0 else { return objects }
            let members: JSONObject = [
                "kind": "audio", "ssrc": 1, "localId": "IA", "packetsSent": .double(sent.prefix(told).reduce(0, +)),
            ]
            return objects + [
                StatsObject(
                    id: "SR", type: .remoteOutboundRTP, timestamp: ScriptedCall.at(Double(told)), members: members)
            ]
        }
        #expect(summary.issues.all == [])
        #expect(summary.holds.map(\.isSenderPause) == [true])
    }
}
