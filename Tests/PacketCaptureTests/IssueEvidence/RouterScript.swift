import CallModel
import Deflate
import Foundation
import TestSupport

/// What the router of a recording was told to do to the packets, when, and when media passed it; read from its log.
struct RouterScript {
    /// One way through the router.
    enum Way: String, CaseIterable, Hashable {
        case fromA = "A>B"
        case fromB = "B>A"

        /// The end that receives.
        var receiver: RecordedCall.End { self == .fromA ? .callee : .caller }

        static func towards(_ end: RecordedCall.End) -> Way { end == .callee ? .fromA : .fromB }
    }

    /// A span in which the settings of one way stayed the same.
    struct Segment {
        var start: Double
        var end: Double
        var settings: [String: Double]

        func value(_ name: String) -> Double { settings[name] ?? 0 }
        var isDown: Bool { value("down") > 0 }
    }

    /// One stream on one way.
    struct Stream {
        var source: String
        var way: Way
        var payloadType: Int
        var packets: [WireLog.Packet] = []
    }

    /// The segments of each way, cut to the time in which media were sent on it; none without media.
    private(set) var segments: [Way: [Segment]] = [:]
    private(set) var streams: [String: Stream] = [:]
    /// When media were sent, either way.
    private(set) var media: ClosedRange<Double>?

    /// Reads `wire.csv.gz` at a path below the shared data.
    init(_ path: String) throws {
        let text = try Gzip.inflate(SharedData.bytes(path), maximumBytes: 256 << 20, maximumRatio: 1_000)
        var commands: [(time: Double, words: [String])] = []
        for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix("#") {
                let fields = line.split(separator: ",", maxSplits: 2).map(String.init)
                if fields.count == 3, let time = Double(fields[1]) {
                    commands.append((time, fields[2].split(separator: " ").map(String.init)))
                }
            } else {
                takePacket(line.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
            }
        }
        media = bounds(streams.values.flatMap(\.packets))
        for way in Way.allCases { segments[way] = cut(commands, way) }
    }

    private mutating func takePacket(_ fields: [String]) {
        guard fields.count == 13, fields[3] == "rtp", let fate = WireLog.Fate(rawValue: fields[11]),
            let arrived = Double(fields[0]), let left = Double(fields[12]), let sequence = UInt16(fields[9]),
            let timestamp = UInt32(fields[10]), let payloadType = Int(fields[7])
        else { return }
        // W is the caller's second interface.
        let way: Way = fields[1] == "B" ? .fromB : .fromA
        let packet = WireLog.Packet(
            arrived: arrived, left: left, source: fields[8], sequence: sequence, timestamp: timestamp, fate: fate)
        // Some programs give every call the same SSRC.
        let label = [fields[8], fields[5], fields[6]].joined(separator: " ")
        streams[label, default: Stream(source: fields[8], way: way, payloadType: payloadType)].packets.append(packet)
    }

    private func bounds(_ packets: [WireLog.Packet]) -> ClosedRange<Double>? {
        let times = packets.map(\.arrived)
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    private func cut(_ commands: [(time: Double, words: [String])], _ way: Way) -> [Segment] {
        guard let span = bounds(streams.values.filter { $0.way == way }.flatMap(\.packets)) else { return [] }
        let ends = way.rawValue.split(separator: ">").map(String.init)
        var settings: [String: Double] = [:]
        var result: [Segment] = []
        var start = span.lowerBound
        for (time, words) in commands where words.count > 3 && words[0] == "set" {
            guard words[1] == "*" || words[1] == ends[0], words[2] == "*" || words[2] == ends[1] else { continue }
            if time > start, time < span.upperBound {
                result.append(Segment(start: start, end: time, settings: settings))
                start = time
            }
            for word in words.dropFirst(3) {
                let parts = word.split(separator: "=")
                if parts.count == 2, let value = Double(parts[1]) { settings[String(parts[0])] = value }
            }
        }
        return result + [Segment(start: start, end: span.upperBound, settings: settings)]
    }

    private static let clockRates = [0: 8_000, 8: 8_000, 9: 8_000, 63: 48_000, 109: 48_000, 111: 48_000]

    /// Mean jitter (RFC 3550) of the audio of one way as it left the router, in ms; `nil` without.
    func meanJitter(_ way: Way, isAudioOnly: Bool) -> Double? {
        let audio = streams.values.filter {
            $0.way == way && (isAudioOnly || Self.clockRates[$0.payloadType] != nil)
        }
        guard let stream = audio.max(by: { $0.packets.count < $1.packets.count }) else { return nil }
        return RouterStream(packets: stream.packets)
            .meanJitterMilliseconds(clockRate: Self.clockRates[stream.payloadType] ?? 48_000)
    }

    /// The mean time that packets of both ways took through the router, added up, in ms: what any round trip has at least.
    var roundTripMilliseconds: Double {
        Way.allCases.reduce(0) { sum, way in
            let passed = streams.values.filter { $0.way == way }.flatMap(\.packets).filter { $0.fate == .passed }
            let total = passed.reduce(0) { $0 + ($1.left - $1.arrived) }
            return sum + (passed.isEmpty ? 0 : 1000 * total / Double(passed.count))
        }
    }
}
