import CallModel
import Foundation
import PacketCapture
import TestSupport
import Testing

/// Our own recordings, taken at one end, against the log of the router in the middle.
@Suite(SharedData.required) struct OwnCaptureTests {
    @Test(arguments: OwnCapture.all)
    func `our own capture is read as the router's log tells it`(capture: OwnCapture) throws {
        let seen = try RouterLog(capture.log).numbers(seenAt: capture.end).mapValues { PlainCounts($0) }
        let run = try ProbeRun(capture.url)
        #expect(
            Self.differences(seen, run.streams) == (Self.expected[capture.capture] ?? []).map(\.difference).sorted())
    }

    @Test func `no recording is left out`() {
        #expect(OwnCapture.all.count >= 58)
        #expect(Set(Self.expected.keys).isSubset(of: OwnCapture.all.map(\.capture)))
    }

    /// The router does not look into TURN: what either end records must then agree with the other end's.
    @Test func `through a relay both ends record the same packets`() throws {
        let relay = ["A", "B"].map { SharedData.url("calls/23-turn-relay/\($0).pcap.gz") }
        let counts = try relay.map { url in
            Dictionary(try ProbeRun(url).streams.map { ($0.ssrc, PlainCounts($0)) }) { first, _ in first }
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].count == 6)
        #expect(counts[0].values.reduce(0) { $0 + $1.packets } == 4_610)
        #expect(counts[0].values.allSatisfy { $0.lost == 0 && $0.duplicates == 0 })
    }

    @Test(arguments: OwnCapture.all.filter { $0.capture.hasPrefix("calls/") })
    func `audio, video and retransmissions are told apart as the clients name them`(capture: OwnCapture) throws {
        let clients = try ClientStreams(recording: String(capture.capture.split(separator: "/")[1]))
        let streams = try ProbeRun(capture.url).streams.filter { clients.names[$0.ssrc] != nil }
        let wrong = streams.filter { "\($0.kind) \($0.role)" != clients.names[$0.ssrc] }
        #expect(wrong.map { "\($0.ssrc) \($0.kind) \($0.role) of \($0.packets)" } == [])
    }

    static func differences(_ seen: [RouterLog.Label: PlainCounts], _ streams: [ReportedStream]) -> [String] {
        let found = Dictionary(streams.map { (label($0), PlainCounts($0)) }) { first, _ in first }
        return Set(seen.keys).union(found.keys).compactMap { label in
            guard seen[label] != found[label] else { return nil }
            return "\(label): \(seen[label].map(String.init(describing:)) ?? "none")"
                + " -> \(found[label].map(String.init(describing:)) ?? "none")"
        }.sorted()
    }

    private static func label(_ stream: ReportedStream) -> RouterLog.Label {
        RouterLog.Label(
            ssrc: stream.ssrc, sourcePort: port(stream.source), destinationPort: port(stream.destination))
    }

    private static func port(_ place: String) -> Int {
        place.split(separator: ":").last.flatMap { Int($0) } ?? -1
    }
}

/// What the clients of a recording say their streams are: the last report of the caller names all of them.
struct ClientStreams {
    /// By SSRC: `audio primary`, `video primary`, `video retransmission`.
    private(set) var names: [UInt32: String] = [:]

    init(recording: String) throws {
        let call = RecordedCall.shared(recording, .caller)
        for body in try call.reportBodies().suffix(1) {
            let text = String(decoding: body, as: UTF8.self)
            for entry in text.split(separator: "{") where entry.contains("-rtp\"") && !entry.contains("remote-") {
                guard let ssrc = Self.number("ssrc", in: entry), let kind = Self.word("kind", in: entry) else {
                    continue
                }
                names[ssrc] = "\(kind) primary"
                if let repeats = Self.number("rtxSsrc", in: entry) { names[repeats] = "\(kind) retransmission" }
            }
        }
    }

    private static func number(_ name: String, in text: Substring) -> UInt32? {
        after(name, in: text).flatMap { UInt32($0.prefix { $0.isNumber }) }
    }

    private static func word(_ name: String, in text: Substring) -> String? {
        after(name, in: text).map { String($0.dropFirst().prefix { $0.isLetter }) }
    }

    private static func after(_ name: String, in text: Substring) -> Substring? {
        text.range(of: "\"\(name)\":").map { text[$0.upperBound...] }
    }
}
