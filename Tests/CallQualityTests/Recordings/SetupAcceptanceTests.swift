import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// Calls that were set up oddly, or not at all.
@Suite(SharedData.required) struct SetupAcceptanceTests {
    @Test func `gathering that was cut off with one relay is told with its length`() async throws {
        let setup = try await Recordings.shared.record("24-ice-one-relay", .caller).summary.setup
        #expect(setup.iceOutcome == .oneRelay)
        #expect(setup.iceGatheringUpperBound == 2_004)
    }

    /// Milliseconds after callCreate, from the table published with the recordings.
    @Test func `the latencies of an ordinary call`() async throws {
        let setup = try await Recordings.shared.record("01-clean", .caller).summary.setup
        #expect(setup.iceOutcome == .normal)
        #expect(setup.iceGatheringUpperBound == 167)
        #expect(setup.restSentDelay == 168)
        #expect(setup.postDialDelay == 524)
        #expect(setup.networkPostDialDelay == 356)
        #expect(setup.ringTime == 1_308)
        #expect(setup.answerDelay == 1_832)
        #expect(setup.iceConnectTime == 1_855)
        #expect(setup.mediaSetup == 23)
    }

    @Test func `a call nobody answered has no score`() async throws {
        let record = try await Recordings.shared.record("26-no-answer", .caller)
        #expect(record.summary.outcome == .notAnswered)
        #expect(record.summary.score == nil)
        #expect(record.windows == [])
        #expect(record.summary.setup.postDialDelay == 486)
        #expect(record.summary.setup.answerDelay == nil)
        #expect(record.summary.setup.iceConnectTime == nil)
    }

    @Test(arguments: RecordedEnd.both(["27-ice-failed"]) + [RecordedEnd(name: "47b-turn-refused", end: .caller)])
    func `an answered call whose ICE never connected says so`(_ source: RecordedEnd) async throws {
        let record = try await source.record()
        #expect(record.summary.outcome == .notConnected, "\(source.testDescription)")
        #expect(record.summary.score == nil)
        #expect(record.summary.setup.iceConnectTime == nil)
    }

    @Test(arguments: RecordedEnd.both(["44-datachannel"]))
    func `a call without media is connected and has no score`(_ source: RecordedEnd) async throws {
        let record = try await source.record()
        #expect(record.summary.outcome == .connected)
        #expect(record.summary.score == nil)
        #expect(record.summary.outages == [])
    }

    @Test(arguments: [("23-turn-relay", "udp"), ("48-turn-tcp", "tcp")])
    func `a relay is named with its transport`(_ name: String, _ transport: String) async throws {
        let path = try await Recordings.shared.record(name, .caller).summary.path
        #expect(path.isRelayed == true)
        #expect(path.localType == "relay")
        #expect(path.relayProtocol == transport)
        let other = try await Recordings.shared.record(name, .callee).summary.path
        #expect(other.isRelayed == true)
    }

    @Test(arguments: RecordedEnd.both(["01-clean", "03-loss5", "45-audio-long"]))
    func `a direct path is not relayed and does not change`(_ source: RecordedEnd) async throws {
        let path = try await source.record().summary.path
        #expect(path.isRelayed == false)
        #expect(path.relayProtocol == nil)
        #expect(path.changes == [])
    }
}
