import CallModel
import Testing

@testable import CallQuality

/// Two interruptions soon after one another, of which a report sees the end of one and the beginning of the other.
@Suite struct TwoOutagesTests {
    private static let call: ScriptedCall = {
        var silent = ScriptedSecond()
        (silent.packets, silent.concealedSeconds, silent.silentSeconds, silent.concealments) = (0, 1, 1, 0)
        (silent.videoPackets, silent.videoBytes, silent.frames) = (0, 0, 0)
        var call = ScriptedCall(90, bad: [41..<44, 46..<49], silent)
        for start in [41, 46] {
            (call.seconds[start].concealments, call.seconds[start].silentSeconds) = (1, 0.9)
        }
        return call
    }()

    @Test(arguments: [(1, 0), (5, 2), (5, 3)]) func `are told by themselves`(cadence: Int, first: Int) throws {
        let blackouts = Self.call.issues(every: cadence, from: first).filter { $0.kind == .blackout }
            .sorted { $0.span.start < $1.span.start }
        let starts = blackouts.map { $0.span.start.seconds(since: ScriptedCall.start).rounded() }
        #expect(starts == [41, 46])
        #expect(blackouts.map { ($0.worst?.value ?? 0).rounded() } == [3, 3])
    }
}
