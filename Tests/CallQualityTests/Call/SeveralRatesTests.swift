import CallModel
import Testing

@testable import CallQuality

/// A stream whose sound is played at another rate from some moment on, as after a change of codec.
@Suite struct SeveralRatesTests {
    /// Half a minute of 8 kHz of which 10 % are made up, and half a minute of 48 kHz without fault.
    @Test func `what was made up counts by how long it lasted`() throws {
        var source = AudioSource(at: 1_000_000)
        var facts = [source.report]
        for report in 0..<6 {
            source.sound(10)
            if report < 3 {
                source.change(\.samples, by: -400_000)
                source.change(\.concealedSamples, by: 8_000)
                source.change(\.concealmentEvents, by: 50)
            }
            facts.append(source.report)
        }
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold(facts)
        #expect(CallSession(archived: session.archived())?.summary() == session.summary())
        let stream = try #require(session.summary()?.streams.first)
        #expect(stream.concealedPercent == 5)
        #expect(stream.metrics[.audibleConcealedPercent] == 5)
        #expect(stream.metrics[.meanConcealmentMilliseconds] == 20)
    }

    /// Of ten seconds the first four are played at one rate, the others at the other; a tenth of each is made up.
    @Test(arguments: [true, false]) func `a codec that takes the place of another within a report holds up nothing`(
        isWider: Bool
    ) throws {
        let narrow = CodecDescription(mimeType: "audio/PCMU", clockRate: 8_000)
        let (before, after) = isWider ? (narrow, AudioSource.opus) : (AudioSource.opus, narrow)
        var source = AudioSource(codec: before)
        source.sound(20)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(10)
        var sample = source.sample
        sample.codec = after
        let samples = isWider ? 320_000.0 : 240_000.0
        sample.counters.samples? += samples - 480_000
        sample.counters.concealedSamples? += samples / 10
        sample.counters.concealmentEvents? += 50
        let taken = meter.take(sample, connection: ConnectionState())
        let delta = try #require(taken)
        #expect(delta.heldSeconds == 0)
        #expect(delta.darkSeconds == 0)
        #expect(delta.sampleRate == samples / 10)
        #expect(delta.counted.samples.map { delta.samplesScale * $0 } == 480_000)
    }
}
