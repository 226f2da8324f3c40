import CallModel
import Foundation
import TestSupport
import Testing

/// What a probe makes of pictures whose lost packets go again must be what their client makes of them, which knows the freezes.
@Suite struct PictureAgreementTests {
    /// The score of the pictures that one end received, as its client and as a probe beside it have it; `nil` without a capture.
    private static func scores(_ recording: RecordedCall) throws -> (client: Int, wire: Int)? {
        guard let capture = recording.capture, let client = try recording.record(.oneSecond) else { return nil }
        let pictures = client.summary.streams.first { $0.stream.direction == .inbound && $0.stream.kind == .video }
        let source = try #require(pictures?.stream.source)
        let run = try ProbeRun(capture)
        let streams = run.records.compactMap { run.summary(of: $0) }.flatMap(\.streams)
        let seen = streams.first { $0.stream.source == source }
        return (try #require(pictures?.score), try #require(seen?.score))
    }

    @Test(
        SharedData.required,
        arguments: ["02-loss1", "03-loss5", "14-staircase", "16-h264", "62-chromium-libwebrtc-loss5"])
    func `pictures that lose packets at random have one score`(_ name: String) throws {
        let ends = try RecordedCall.End.allCases.compactMap { try Self.scores(RecordedCall.shared(name, $0)) }
        #expect(!ends.isEmpty)
        for scores in ends { #expect(abs(scores.wire - scores.client) <= 5, "\(scores)") }
    }

    @Test(arguments: RecordedCall.End.allCases)
    func `they have one in a recording that had no part in choosing any constant`(_ end: RecordedCall.End) throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/agreement/86-opus-loss15")
        let scores = try #require(try Self.scores(RecordedCall(folder, end: end)))
        #expect(abs(scores.wire - scores.client) <= 5, "\(scores)")
    }

    /// Of an outage the client's freezes tell, and the time without packets.
    @Test(SharedData.required, arguments: ["10-outage5s", "34-gap-ladder"], RecordedCall.End.allCases)
    func `an outage costs pictures on the wire at least half of what it costs at the client, and no more than twice`(
        _ name: String, _ end: RecordedCall.End
    ) throws {
        let scores = try #require(try Self.scores(RecordedCall.shared(name, end)))
        let (lost, seen) = (100 - scores.client, 100 - scores.wire)
        #expect(2 * seen >= lost && seen <= 2 * lost, "\(scores)")
    }
}

extension RecordedCall {
    /// What passed this end; `nil` where the recording has none of it.
    var capture: URL? {
        ["pcap", "pcap.gz"].map { directory.appending(path: "\(end.rawValue).\($0)") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }
}
