import CallModel
import Deflate
import Foundation
import TestSupport

/// What the router between the two ends of a recording did to every RTP packet, and so what a capture at either end holds.
struct RouterLog {
    /// What tells the streams of a recording apart.
    struct Label: Hashable, CustomStringConvertible {
        var ssrc: UInt32
        var sourcePort: Int
        var destinationPort: Int
        var description: String { "\(ssrc) \(sourcePort)>\(destinationPort)" }
    }

    private struct Packet {
        var arrived: Double
        var left: Double
        var from: UInt8
        var to: UInt8
        var label: Label
        var sequence: UInt16
        var fate: UInt8
    }

    private var packets: [Packet] = []

    /// Reads `wire.csv.gz`: t_in, in, out, kind, len, sport, dport, pt, ssrc, seq, rtpts, fate, t_out.
    init(_ path: String) throws {
        let text = try Gzip.inflate(SharedData.bytes(path), maximumBytes: 256 << 20, maximumRatio: 1_000)
        for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() where line.first != UInt8(ascii: "#") {
            if let packet = Self.packet(line) { packets.append(packet) }
        }
    }

    private static func packet(_ line: ArraySlice<UInt8>) -> Packet? {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 13, fields[3].elementsEqual("rtp".utf8), let from = fields[1].first,
            let to = fields[2].first, let fate = fields[11].first, let arrived = number(fields[0]),
            let left = number(fields[12])
        else { return nil }
        let label = Label(
            ssrc: UInt32(whole(fields[8])), sourcePort: whole(fields[5]), destinationPort: whole(fields[6]))
        return Packet(
            arrived: arrived, left: left, from: from, to: to, label: label,
            sequence: UInt16(truncatingIfNeeded: whole(fields[9])), fate: fate)
    }

    private static func whole(_ text: ArraySlice<UInt8>) -> Int {
        text.reduce(0) { 10 * $0 + Int($1 & 0x0F) }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Double? {
        Double(String(decoding: text, as: UTF8.self))
    }

    /// The packets that a capture at an end records, by stream and in its order: what the end sent, whatever became of it
    /// later, and what the router passed on to it, with the copies it made.
    func numbers(seenAt end: Character) -> [Label: [UInt16]] {
        // W is the caller's second interface; it has one in a single recording.
        let here: Set<UInt8> = end == "A" ? [UInt8(ascii: "A"), UInt8(ascii: "W")] : [UInt8(ascii: "B")]
        let arrives: Set<UInt8> = [UInt8(ascii: "P"), UInt8(ascii: "U")]
        let sent = packets.filter { here.contains($0.from) && $0.fate != UInt8(ascii: "U") }.map { ($0.arrived, $0) }
        let received = packets.filter { here.contains($0.to) && arrives.contains($0.fate) }.map { ($0.left, $0) }
        var streams: [Label: [UInt16]] = [:]
        for (_, packet) in (sent + received).sorted(by: { $0.0 < $1.0 }) {
            streams[packet.label, default: []].append(packet.sequence)
        }
        return streams
    }
}

/// The counts of RFC 3550 A.1 and A.3 over the numbers of one stream, the plain way: all of them are kept.
struct PlainCounts: Hashable, CustomStringConvertible {
    var packets = 0
    var unique = 0
    var lost = 0
    var duplicates = 0
    var reordered = 0

    var description: String {
        "packets \(packets), unique \(unique), lost \(lost), duplicates \(duplicates), reordered \(reordered)"
    }

    /// Of numbers in order of arrival; a number continues from the highest so far by the shorter way.
    init(_ numbers: [UInt16]) {
        var seen: Set<Int> = []
        var highest = Int(numbers.first ?? 0)
        for number in numbers {
            let step = Int(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest)))
            let extended = highest + step
            if seen.insert(extended).inserted {
                reordered += step < 0 ? 1 : 0
            } else {
                duplicates += 1
            }
            highest = max(highest, extended)
        }
        packets = numbers.count
        unique = seen.count
        if let lowest = seen.min() { lost = highest - lowest + 1 - unique }
    }

    /// As a probe reports them.
    init(_ stream: ReportedStream) {
        packets = stream.packets
        unique = stream.count(.packetsReceived)
        lost = stream.count(.packetsLost)
        duplicates = stream.repeated
        reordered = stream.count(.packetsReordered)
    }
}
