import Foundation
import TestSupport
import Testing

/// What a client reports of a stream and what its packets say, of calls in which packets were lost and nothing else
/// was done to them.
@Suite(SharedData.required) struct ClientAndWireTests {
    /// Loss of 1 to 15 %, at random and in bursts, Opus and G.711.
    static let lossOnly = [
        "02-loss1", "03-loss5", "12-burst5", "14-staircase", "16-h264", "19-pcma-loss5", "21-opus-loss15",
        "50-chromium87-loss5", "51-chromium90-loss5", "62-chromium-libwebrtc-loss5",
    ]

    /// The machine held packets back while this was recorded: the browser played on, the model of a jitter buffer would not
    /// have.
    private static let held = ["03-loss5 B"]

    private struct Stream: Decodable {
        struct Wire: Decodable { var ssrc: UInt32 }
        var direction: String
        var kind: String
        var source: String
        var score: Int?
        var wire: Wire?
    }

    private struct Calls: Decodable {
        struct Call: Decodable { var streams: [Stream] }
        var calls: [Call]
    }

    private func streams(_ path: String) async throws -> [Stream] {
        let run = try await SampleCapture.statsreport(
            [SharedData.url(path).path, "--format", "json"], in: SharedData.packageRoot)
        #expect(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode(Calls.self, from: Data(run.output.utf8)).calls.flatMap(\.streams)
            .filter { $0.direction == "inbound" && $0.kind == "audio" }
    }

    @Test func `loss alone scores alike from the client and from the wire`() async throws {
        var differences: [String: Int] = [:]
        for name in Self.lossOnly {
            for end in ["A", "B"] {
                let capture = "calls/\(name)/\(end).pcap.gz"
                guard FileManager.default.fileExists(atPath: SharedData.url(capture).path) else { continue }
                let client = try #require(
                    try await streams("calls/\(name)/\(end).getRTPStatistics-10s.jsonl").first { $0.score != nil })
                let wire = try #require(
                    try await streams(capture).first { $0.wire.map { String($0.ssrc) } == client.source })
                differences["\(name) \(end)"] = try #require(wire.score) - #require(client.score)
            }
        }
        print("score from the wire less score from the client:", differences.sorted { $0.key < $1.key })
        #expect(differences.count >= 10)
        for (source, difference) in differences {
            #expect(abs(difference) <= (Self.held.contains(source) ? 10 : 5), "\(source): \(difference)")
        }
    }
}
