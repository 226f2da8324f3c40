import RTPMeter
import TestSupport

/// The UDP payloads of a capture of whole Ethernet, Linux "any" or raw IP frames, for tests of what is inside them.
///
/// Knows the classic little-endian format only, leaves fragments out, and looks into no tunnel.
struct CapturedPayloads {
    private(set) var payloads: [[UInt8]] = []
    /// When each of them was captured.
    private(set) var times: [ArrivalTime] = []

    init(_ path: String, atMost limit: Int = .max) throws {
        let file = try SharedData.bytes(path)
        guard file.starts(with: [0xd4, 0xc3, 0xb2, 0xa1]) || file.starts(with: [0x4d, 0x3c, 0xb2, 0xa1]) else { return }
        let linkType = Self.little(file, 20)
        var offset = 24
        while offset + 16 <= file.count, payloads.count < limit {
            let end = offset + 16 + Self.little(file, offset + 8)
            guard end <= file.count else { break }
            let frame = Array(file[(offset + 16)..<end])
            let payload = [1: 14, 113: 16, 101: 0, 12: 0][linkType].flatMap { Self.udp(Array(frame.dropFirst($0))) }
            if let payload {
                payloads.append(payload)
                times.append(
                    ArrivalTime(
                        seconds: Int64(Self.little(file, offset)),
                        nanoseconds: Int64(Self.little(file, offset + 4)) * (file[0] == 0xd4 ? 1000 : 1)))
            }
            offset = end
        }
    }

    private static func little(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private static func udp(_ packet: [UInt8]) -> [UInt8]? {
        guard let first = packet.first, packet.count >= 20 else { return nil }
        let isFragment = first >> 4 == 4 && (packet[6] & 0x1f != 0 || packet[7] != 0)
        let start = first >> 4 == 4 ? Int(first & 15) * 4 : 40
        guard !isFragment, packet[first >> 4 == 4 ? 9 : 6] == 17, packet.count >= start + 8 else { return nil }
        let length = Int(packet[start + 4]) << 8 | Int(packet[start + 5])
        return Array(packet.dropFirst(start + 8).prefix(max(0, length - 8)))
    }
}
