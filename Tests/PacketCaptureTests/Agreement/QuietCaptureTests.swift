import CallModel
import Testing

/// A capture in which nothing comes for long has fewer snapshots, and lacks none.
@Suite struct QuietCaptureTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    @Test(arguments: [0, 450])
    func `no snapshot is missing while the whole capture is silent, with media before it or without`(packets: Int) {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(packets))
        script.media(Calls.back(packets))
        script.hangUp(at: 165)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            let times = run.reports[record, default: []].map(\.time)
            #expect(zip(times, times.dropFirst()).contains { $1.milliseconds(since: $0) > 100_000 })
            #expect(run.summary(of: record)?.dataQuality.gaps == [])
            #expect(run.summary(of: record)?.dataQuality.missedReports == 0)
        }
    }
}
