import CallModel
import TestSupport
import Testing

/// Calls over several connections, and of several people over one, as a conference client (Jitsi Meet) recorded them.
@Suite(SharedData.required) struct ConferenceTests {
    /// It began over the server and went on directly between the two, 18 packets later.
    @Test func `a connection that a client has left for its peer is not silent`() throws {
        let file = try ImportedFile.shared("reports/rtcstats-jitsi/chrome96-standard-stats-p2p-add-transceiver")
        let summary = try #require(try file.summary())
        #expect(summary.outages == [])
        #expect(summary.holds == [])
        #expect(summary.heldSeconds == 0)
        #expect(try #require(summary.score) >= 95)
    }

    /// First two people directly, then more of them over the server, who come, go and fall silent while others are heard.
    @Test func `people who are silent or gone while others are heard are no blackout`() throws {
        let file = try ImportedFile.shared("reports/rtcstats-jitsi/google-legacy-stats-multiple-pc")
        let summary = try #require(try file.summary())
        #expect(summary.outages.reduce(0) { $0 + $1.seconds } < 10)
        // One of them was held back by 0.4 to 0.6 s for minutes (`googJitterBufferMs`), which costs 17 points.
        let score = try #require(summary.score)
        #expect(score >= 65)
    }
}
