import CallModel
import TestSupport

@testable import PacketCapture

/// Where a probe's reading of a stream differs from the reference.
struct StreamDifference: Hashable, CustomStringConvertible {
    /// What differs.
    enum Figure: String, Hashable, CaseIterable {
        /// Packets in all; the stream is unknown to one of the two when its side is nil.
        case packets
        case unique, lost, duplicates, reordered, restarts
        /// RTP ticks a second.
        case clock
        /// In ms.
        case meanJitter, maximumJitter, maximumPlainJitter
    }

    /// SSRC and ports: `0x0a7328f3 5004>6004`.
    var stream: String
    var figure: Figure
    var reference: Double?
    var found: Double?

    var description: String {
        "\(stream): \(figure.rawValue) \(reference.map(Self.text) ?? "none") -> \(found.map(Self.text) ?? "none")"
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    init(_ stream: String, _ figure: Figure, _ reference: Double?, found: Double?) {
        self.stream = stream
        self.figure = figure
        self.reference = reference
        self.found = found
    }
}

/// What tells streams apart in a report, whose addresses are cut.
struct StreamLabel: Hashable, CustomStringConvertible {
    var ssrc: UInt32
    var source: String
    var destination: String

    init(_ stream: ReportedStream) {
        ssrc = stream.ssrc
        source = stream.source
        destination = stream.destination
    }

    init(_ stream: CaptureTruth.Stream) throws {
        ssrc = stream.ssrc
        source = try Self.cut(stream.source, stream.sourcePort)
        destination = try Self.cut(stream.destination, stream.destinationPort)
    }

    private static func cut(_ address: String, _ port: Int) throws -> String {
        let bytes = Array(address.utf8)
        guard let parsed = IPAddress(text: bytes[...]) else { throw UnreadableTruth(member: "address \(address)") }
        return "\(parsed.cut):\(port)"
    }

    var description: String {
        let digits = String(ssrc, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return "0x\(padded) \(Self.port(source))>\(Self.port(destination))"
    }

    private static func port(_ place: String) -> Substring {
        place[place.index(after: place.lastIndex(of: ":") ?? place.startIndex)...]
    }
}

extension StreamDifference {
    /// Every difference between what is known of a capture and what a probe found in it, in a fixed order.
    static func all(between truth: CaptureTruth, and run: ProbeRun) throws -> [StreamDifference] {
        var found = Dictionary(grouping: run.streams) { StreamLabel($0) }
        var differences: [StreamDifference] = []
        for reference in truth.streams {
            let label = try StreamLabel(reference)
            guard let streams = found[label], let stream = streams.first else {
                differences.append(
                    StreamDifference("\(label)", .packets, Double(reference.packets), found: nil))
                continue
            }
            found[label] = streams.count > 1 ? Array(streams.dropFirst()) : nil
            differences += compare(reference, with: stream, named: "\(label)")
        }
        for (label, streams) in found {
            differences += streams.map {
                StreamDifference("\(label)", .packets, nil, found: Double($0.packets))
            }
        }
        return differences.sorted { "\($0)" < "\($1)" }
    }

    private static func compare(
        _ reference: CaptureTruth.Stream, with stream: ReportedStream, named name: String
    ) -> [StreamDifference] {
        let counts: [(Figure, Int, Int)] = [
            (.packets, reference.packets, stream.packets),
            (.unique, reference.unique, stream.count(.packetsReceived)),
            (.lost, reference.lost, stream.count(.packetsLost)),
            (.duplicates, reference.duplicates, stream.repeated),
            (.reordered, reference.reordered, stream.count(.packetsReordered)),
            (.restarts, reference.segments - 1, stream.count(.sequenceRestarts)),
        ]
        let differing = counts.filter { $0.1 != $0.2 }.map {
            StreamDifference(name, $0.0, Double($0.1), found: Double($0.2))
        }
        return differing + compareTimes(reference, with: stream, named: name)
    }

    /// Jitter may differ by 0.02 ms; what differs more is noted to a hundredth.
    private static func compareTimes(
        _ reference: CaptureTruth.Stream, with stream: ReportedStream, named name: String
    ) -> [StreamDifference] {
        guard reference.clock == stream.clockRate else {
            let clocks = (reference.clock.map(Double.init), stream.clockRate.map(Double.init))
            return [StreamDifference(name, .clock, clocks.0, found: clocks.1)]
        }
        guard reference.clock != nil, reference.packets > 1 else { return [] }
        let times: [(Figure, Double?, Double?)] = [
            (.meanJitter, reference.meanJitter, stream[.meanJitter]),
            (.maximumJitter, reference.maximumJitter, stream[.maximumJitter]),
            (.maximumPlainJitter, reference.maximumPlainJitter, stream[.maximumPlainJitter]),
        ]
        return times.compactMap { figure, expected, seconds in
            // A reference of 0 stands for no sample at all, too.
            let milliseconds = seconds.map { 1000 * $0 }
            guard abs((milliseconds ?? 0) - (expected ?? 0)) > 0.02 else { return nil }
            return StreamDifference(
                name, figure, expected.map { ($0 * 100).rounded() / 100 },
                found: milliseconds.map { ($0 * 100).rounded() / 100 })
        }
    }
}
