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
        // Once nobody is heard, for 2 s: one of two has gone, and the other comes back under another SSRC.
        #expect(summary.outages.map(\.seconds) == [2])
        // The sound of some was held back by half a second (`googJitterBufferMs`), which is no matter of silence.
        let score = try #require(summary.score)
        #expect(Double(score) + (summary.costs[.jitterBuffer] ?? 0) >= 90)
    }
}
