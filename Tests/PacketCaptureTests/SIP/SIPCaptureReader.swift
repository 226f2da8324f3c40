import Deflate
import RTPMeter
import TestSupport

@testable import PacketCapture

/// Reads the SIP messages of a capture file with nothing but arrays: pcap and pcapng, also compressed.
struct SIPCaptureReader {
    /// A message, where it went, and when.
    struct Seen {
        var message: SIPMessage
        var flow: Flow
        var time: ArrivalTime
    }

    private struct Frame {
        var time: ArrivalTime
        var linkType: Int32
        var wireLength: Int
        var bytes: [UInt8]
    }

    private let bytes: [UInt8]

    /// - Parameter path: A file of the shared data.
    /// - Throws: When it is not there or cannot be inflated.
    init(_ path: String) throws {
        let file = try SharedData.bytes(path)
        bytes = Gzip.isLikely(file) ? try Gzip.inflate(file, maximumBytes: 1 << 28, maximumRatio: 1000) : file
    }

    /// The messages of a capture that can be used, in order.
    func messages() -> [Seen] {
        var seen: [Seen] = []
        var decoder: FrameDecoder?
        var streams = SIPStreams()
        for frame in bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) ? nextGenerationFrames() : classicFrames() {
            guard let linkType = LinkType(rawValue: frame.linkType) else { continue }
            if decoder?.linkType != linkType { decoder = FrameDecoder(linkType: linkType) }
            let decoded = frame.bytes.withRawSpan {
                decoder?.decode($0, wireLength: frame.wireLength, at: frame.time)
            }
            guard let decoded else { continue }
            let source = decoded.isAssembled ? decoder?.assembled ?? [] : frame.bytes
            let payload = Array(source[decoded.payload])
            switch decoded.transport {
            case .udp:
                guard payload.withRawSpan({ SIPMessage.isLikely($0) }),
                    let message = try? SIPMessage(parsing: payload)
                else { continue }
                seen.append(Seen(message: message, flow: decoded.flow, time: frame.time))
            case .tcp(let sequence, let acknowledgment, let flags):
                let received = streams.take(
                    flow: decoded.flow, sequence: sequence, acknowledgment: acknowledgment, flags: flags,
                    payload: payload, wireLength: decoded.payloadWireLength, at: frame.time)
                seen += received.map { Seen(message: $0.message, flow: $0.flow, time: $0.time) }
            }
        }
        return seen
    }

    private func number(at offset: Int, bytes count: Int, isLittle: Bool) -> Int {
        let digits = bytes[offset..<(offset + count)]
        return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }

    private func classicFrames() -> [Frame] {
        let isLittle = bytes[0] != 0xA1
        let isNano = bytes.starts(with: [0x4D, 0x3C, 0xB2, 0xA1]) || bytes.starts(with: [0xA1, 0xB2, 0x3C, 0x4D])
        let linkType = Int32(number(at: 20, bytes: 4, isLittle: isLittle))
        var frames: [Frame] = []
        var offset = 24
        while offset + 16 <= bytes.count {
            let fields = (0..<4).map { number(at: offset + 4 * $0, bytes: 4, isLittle: isLittle) }
            let end = offset + 16 + fields[2]
            guard end <= bytes.count else { break }
            let time = ArrivalTime(nanoseconds: Int64(fields[0] * 1_000_000_000 + fields[1] * (isNano ? 1 : 1000)))
            frames.append(
                Frame(
                    time: time, linkType: linkType, wireLength: fields[3], bytes: Array(bytes[(offset + 16)..<end])))
            offset = end
        }
        return frames
    }

    /// Enhanced packet blocks in little-endian files with microseconds, which all of ours are.
    private func nextGenerationFrames() -> [Frame] {
        var frames: [Frame] = []
        var linkType: Int32 = 1
        var offset = 0
        while offset + 12 <= bytes.count {
            let type = number(at: offset, bytes: 4, isLittle: true)
            let length = number(at: offset + 4, bytes: 4, isLittle: true)
            guard length >= 12, offset + length <= bytes.count else { break }
            if type == 1 { linkType = Int32(number(at: offset + 8, bytes: 2, isLittle: true)) }
            if type == 6 {
                let fields = (0..<5).map { number(at: offset + 8 + 4 * $0, bytes: 4, isLittle: true) }
                let start = offset + 28
                frames.append(
                    Frame(
                        time: ArrivalTime(nanoseconds: Int64((fields[1] << 32 | fields[2]) * 1000)),
                        linkType: linkType, wireLength: fields[4], bytes: Array(bytes[start..<(start + fields[3])])))
            }
            offset += length
        }
        return frames
    }
}
