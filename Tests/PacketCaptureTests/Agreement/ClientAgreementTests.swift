import CallModel
import CallQuality
import Foundation
import PacketCapture
import RTPMeter
import TestSupport
import Testing

/// What a client heard and what a probe beside it saw, scored by one model, must say the same.
@Suite struct ClientAgreementTests {
    /// Recordings whose only impairment is loss on the network.
    static let lossOnly = [
        "02-loss1", "03-loss5", "12-burst5", "14-staircase", "16-h264", "19-pcma-loss5", "21-opus-loss15",
        "22-opus-red-loss15", "50-chromium87-loss5", "51-chromium90-loss5", "60-chromium-aiortc-loss5",
        "62-chromium-libwebrtc-loss5",
    ]
    /// Others, which had no part in how losses on the wire are weighed.
    static let heldOut = ["85-pcmu-loss5", "86-opus-loss15", "87-opus-loss30"]
    /// Those by which it was seen what Firefox sends, and what RED repairs.
    static let ofSenders = ["88-firefox-loss5", "89-red-loss15"]

    @Test(SharedData.required) func `audio scores of client and wire agree where the impairment is loss only`() throws {
        let differences = try Self.differences(Self.lossOnly.map { SharedData.url("calls/\($0)") })
        #expect(differences.count >= 10)
        for (source, difference) in differences { #expect(abs(difference) <= 5, "\(source): \(difference)") }
    }

    @Test func `they agree in recordings that had no part in choosing any constant`() throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/agreement")
        let differences = try Self.differences(Self.heldOut.map { folder.appending(path: $0) })
        #expect(differences.count == 2 * Self.heldOut.count)
        for (source, difference) in differences { #expect(abs(difference) <= 5, "\(source): \(difference)") }
    }

    @Test func `they agree where the packets tell what their sender repairs`() throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/agreement")
        let differences = try Self.differences(Self.ofSenders.map { folder.appending(path: $0) })
        #expect(differences.count == 2 * Self.ofSenders.count)
        for (source, difference) in differences { #expect(abs(difference) <= 5, "\(source): \(difference)") }
    }

    /// Of each end with a capture, the mean of wire minus client over the windows.
    private static func differences(_ folders: [URL]) throws -> [String: Double] {
        var differences: [String: Double] = [:]
        for folder in folders {
            for end in RecordedCall.End.allCases {
                guard let pair = try Pair(RecordedCall(folder, end: end)) else { continue }
                let source = "\(folder.lastPathComponent) \(end)"
                let line = pair.windows.map { "\($0.client)/\($0.wire)" }.joined(separator: " ")
                print(source, "mean", pair.meanDifference.map { String(format: "%.1f", $0) } ?? "-", line)
                differences[source] = pair.meanDifference
            }
        }
        return differences
    }
}

/// The windows of one end as its client and as a probe beside it had them.
private struct Pair {
    struct Window {
        var client: Int
        var wire: Int
    }

    var windows: [Window] = []

    /// `nil` without a capture at this end, or without inbound audio.
    init?(_ recording: RecordedCall) throws {
        guard let capture = recording.capture, let client = try recording.record(.oneSecond) else { return nil }
        let audio = client.summary.streams.filter { $0.stream.direction == .inbound && $0.stream.kind == .audio }
        guard let source = audio.first?.stream.source else { return nil }
        guard let wire = try Self.audioOnly(source, in: capture) else { return nil }
        for window in wire.windows {
            let nearest = client.windows.min { distance($0, window) < distance($1, window) }
            guard let nearest, distance(nearest, window) < 3_000, let heard = nearest.audioScore,
                let seen = window.audioScore
            else { continue }
            windows.append(Window(client: heard, wire: seen))
        }
    }

    private func distance(_ one: ScoreInterval, _ other: ScoreInterval) -> Int64 {
        abs(one.start.milliseconds(since: other.start)) + abs(one.end.milliseconds(since: other.end))
    }

    /// The fold over what a probe saw of one stream.
    private static func audioOnly(_ source: String, in capture: URL) throws -> CallRecord? {
        let run = try ProbeRun(capture)
        guard let found = run.reports.first(where: { $0.value.contains { $0.streams.contains { $0.id == source } } })
        else { return nil }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: found.key.call), observer: found.key.observer, attempt: 1)
        var session = CallSession(key: key)
        let rows = session.fold(found.value.sorted { $0.time < $1.time }.map(Fact.wire))
        guard let summary = session.summary() else { return nil }
        return CallRecord(
            summary: summary, isDirty: false, intervals: rows.intervals, scores: [],
            windows: rows.scores.filter { $0.series == .window }, events: [], others: [])
    }

    /// Mean of wire minus client over the windows.
    var meanDifference: Double? {
        guard !windows.isEmpty else { return nil }
        return windows.reduce(0) { $0 + Double($1.wire - $1.client) } / Double(windows.count)
    }
}
