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
}
