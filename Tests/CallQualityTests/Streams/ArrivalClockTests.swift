import CallModel
import Testing

@testable import CallQuality

/// The age of the last packet, where what was counted contradicts it.
@Suite struct ArrivalClockTests {
    /// A minute in which the last packet of each report is told to be so much older than it was.
    private func outages(
        age: Int64, every cadence: Double, _ change: (inout AudioSource) -> Void
    ) -> [MediaOutage] {
        var source = AudioSource()
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: shifted(source.sample, age), previousReport: nil)
        var tracker = OutageTracker()
        for report in 1...Int(60 / cadence) {
            if Double(report) * cadence == 30 { change(&source) } else { source.sound(cadence) }
            let delta = meter.take(shifted(source.sample, age), connection: ConnectionState())
            if let delta { tracker.take(delta) }
        }
        return tracker.all
    }

    private func shifted(_ sample: StreamSample, _ age: Int64) -> StreamSample {
        var sample = sample
        sample.lastPacketReceivedAt = sample.lastPacketReceivedAt?.advanced(byMilliseconds: -age)
        return sample
    }

    @Test(arguments: [1_500, 3_000, 30_000, 300_000] as [Int64], [1.0, 10])
    func `packets that came all the time leave no room for a blackout`(age: Int64, cadence: Double) {
        #expect(outages(age: age, every: cadence) { $0.sound(cadence) } == [])
    }

    /// What was made up tells of it all the same.
    @Test(arguments: [0, 30_000] as [Int64])
    func `a blackout is as long as it was, whatever the age says`(age: Int64) throws {
        let found = outages(age: age, every: 10) { source in
            source.sound(5)
            source.blackout(5)
        }
        #expect(found.count == 1)
        #expect(abs((found.first?.seconds ?? 0) - 5) < 0.2)
    }

    @Test func `an outage does not begin before the first report of its stream`() throws {
        let pcmu = CodecDescription(mimeType: "audio/PCMU", clockRate: 8_000)
        var source = AudioSource(codec: pcmu)
        source.sound(10)
        let first = source.sample.time
        var meter = StreamMeter(stream: AudioSource.key, first: shifted(source.sample, 30_000), previousReport: nil)
        source.playOn(10)
        let taken = meter.take(shifted(source.sample, 30_000), connection: ConnectionState())
        var tracker = OutageTracker()
        tracker.take(try #require(taken))
        #expect(tracker.all.map(\.span.start) == [first])
    }
}
