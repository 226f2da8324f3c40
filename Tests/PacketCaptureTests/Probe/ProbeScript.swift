import CallModel
import RTPMeter

@testable import PacketCapture

/// Writes a capture frame by frame and sends it through a probe.
struct ProbeScript {
    /// Where packets come from or go to.
    struct Place: Hashable {
        var address: UInt32
        var port: UInt16

        init(_ address: UInt32, _ port: UInt16) {
            self.address = address
            self.port = port
        }

        /// The address in text.
        var text: String {
            [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }.joined(separator: ".")
        }
    }

    /// A run of RTP packets, 20 ms apart unless said otherwise.
    struct Media {
        var ssrc: UInt32
        var from: Place
        var to: Place
        var start = 0.0
        var packets = 50
        var firstNumber: UInt16 = 1_000
        var firstTime: UInt32 = 0
        /// Added to the number and the time stamp of every packet, to go on where other packets ended.
        var skip = 0
        var payloadType: UInt8 = 0
        var interval = 0.02
        var ticks: UInt32 = 160
        var payloadBytes = 160
        /// Whether each packet is marked, as the last one of a picture is.
        var isMarked = false
        /// Packets, counted from 0, that do not come.
        var lost: Set<Int> = []
        /// Packets that are recorded once more right away.
        var repeated: Set<Int> = []
        /// Packets, counted from 0, that are held back until the last of them is sent: from then on one comes every 2 ms,
        /// until the next ones are in time.
        var held = 0..<0
    }

    struct Frame {
        var nanoseconds: Int64
        var bytes: [UInt8]
    }

    static let caller = Place(0xC000_0201, 5060)
    static let callee = Place(0xC633_6402, 5060)
    /// A whole second, some time in 2024.
    static let epoch: Int64 = 1_710_000_000_000_000_000

    private(set) var frames: [Frame] = []
    /// So many bytes of each frame are captured; nil where all are.
    var snapLength: Int?

    // MARK: Writing

    mutating func udp(_ payload: [UInt8], from: Place, to: Place, at seconds: Double) {
        packet(Self.datagram(payload, from: from, to: to), number: 17, from: from, to: to, at: seconds)
    }

    /// An ICMP error of who should get a datagram, of type 3, that quotes some of it.
    mutating func undeliverable(
        _ payload: [UInt8], from: Place, to: Place, code: UInt8 = 3, quoting bytes: Int = 20, at seconds: Double
    ) {
        let quoted = Self.datagram(payload, from: from, to: to)
        let header = Self.header(of: quoted, number: 17, from: from, to: to)
        packet([3, code, 0, 0, 0, 0, 0, 0] + header + quoted.prefix(bytes), number: 1, from: to, to: from, at: seconds)
    }

    private static func datagram(_ payload: [UInt8], from: Place, to: Place) -> [UInt8] {
        big16(from.port) + big16(to.port) + big16(UInt16(8 + payload.count)) + [0, 0] + payload
    }

    /// A TCP segment with PSH and ACK.
    mutating func tcp(
        _ payload: [UInt8], sequence: UInt32, acknowledgment: UInt32, from: Place, to: Place, at seconds: Double
    ) {
        let tcp =
            Self.big16(from.port) + Self.big16(to.port) + Self.big32(sequence) + Self.big32(acknowledgment)
            + [0x50, 0x18, 0xFF, 0xFF, 0, 0, 0, 0] + payload
        packet(tcp, number: 6, from: from, to: to, at: seconds)
    }

    /// An IPv4 packet of a protocol.
    private mutating func packet(_ body: [UInt8], number: UInt8, from: Place, to: Place, at seconds: Double) {
        let ip = Self.header(of: body, number: number, from: from, to: to)
        let ethernet: [UInt8] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0]
        let time = Self.epoch + Int64((seconds * 1e9).rounded())
        frames.append(Frame(nanoseconds: time, bytes: ethernet + ip + body))
    }

    private static func header(of body: [UInt8], number: UInt8, from: Place, to: Place) -> [UInt8] {
        [0x45, 0] + big16(UInt16(20 + body.count)) + [1, 2, 0, 0, 64, number, 0, 0] + big32(from.address)
            + big32(to.address)
    }

    mutating func media(_ media: Media) {
        var earliest = 0.0
        for index in 0..<media.packets where !media.lost.contains(index) {
            let step = media.skip + index
            let packet =
                [0x80, media.payloadType | (media.isMarked ? 0x80 : 0)]
                + Self.big16(media.firstNumber &+ UInt16(truncatingIfNeeded: step))
                + Self.big32(media.firstTime &+ UInt32(truncatingIfNeeded: step) &* media.ticks)
                + Self.big32(media.ssrc)
                + [UInt8](repeating: 0xD5, count: media.payloadBytes)
            let isHeld = media.held.contains(index)
            let sent = media.start + Double(isHeld ? media.held.upperBound - 1 : index) * media.interval
            let time = max(sent, earliest)
            if isHeld || time > sent { earliest = time + 0.002 }
            udp(packet, from: media.from, to: media.to, at: time)
            if media.repeated.contains(index) { udp(packet, from: media.from, to: media.to, at: time + 20e-6) }
        }
    }

    /// Sound between two other hosts: a probe that sees any media sees those of other calls, too.
    mutating func mediaOfOthers() {
        media(Media(ssrc: 0xFFFF, from: Place(0xC000_0201 + 8, 4_000), to: Place(0xC633_6402 + 8, 6_000)))
    }

    /// A SIP message between ``caller`` and ``callee``.
    mutating func sip(_ line: SIPScript.Line, from: Place? = nil, to: Place? = nil) {
        let there = (from: from ?? Self.caller, to: to ?? Self.callee)
        udp(
            Array(SIPScript.text(line).utf8), from: line.isFromCallee ? there.to : there.from,
            to: line.isFromCallee ? there.from : there.to, at: Double(line.milliseconds) / 1000)
    }

    /// INVITE at `start`, 180 after half a second, 200 and ACK after one; audio is announced as said.
    mutating func setUp(
        _ callID: String = "call-1", at start: Double = 0, offer: String, answer: String, headers: [String] = []
    ) {
        let begin = Int64(start * 1000)
        let tags = ("caller-tag", String?.some("callee-tag"))
        sip(
            .init(
                milliseconds: begin, start: "INVITE", sequence: "1 INVITE", callID: callID, sdp: offer,
                headers: headers))
        sip(
            .init(
                milliseconds: begin + 500, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: tags,
                callID: callID, isFromCallee: true))
        sip(
            .init(
                milliseconds: begin + 1_000, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: tags, callID: callID,
                sdp: answer, headers: headers, isFromCallee: true))
        sip(
            .init(milliseconds: begin + 1_001, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2", callID: callID)
        )
    }

    /// A change of the session: asked for by the caller, agreed to 10 ms later.
    mutating func change(at seconds: Double, number: Int, offer: String, answer: String, callID: String = "call-1") {
        let begin = Int64(seconds * 1000)
        let tags = ("caller-tag", String?.some("callee-tag"))
        let sequence = "\(number) INVITE"
        sip(
            .init(
                milliseconds: begin, start: "INVITE", sequence: sequence, tags: tags, branch: "c\(number)",
                callID: callID, sdp: offer))
        sip(
            .init(
                milliseconds: begin + 10, start: "SIP/2.0 200 OK", sequence: sequence, tags: tags,
                branch: "c\(number)", callID: callID, sdp: answer, isFromCallee: true))
        sip(
            .init(
                milliseconds: begin + 11, start: "ACK", sequence: "\(number) ACK", tags: tags, branch: "a\(number)",
                callID: callID))
    }

    /// BYE of the caller, and its 200.
    mutating func hangUp(_ callID: String = "call-1", at seconds: Double) {
        let begin = Int64(seconds * 1000)
        let tags = ("caller-tag", String?.some("callee-tag"))
        sip(.init(milliseconds: begin, start: "BYE", sequence: "9 BYE", tags: tags, branch: "9", callID: callID))
        sip(
            .init(
                milliseconds: begin + 5, start: "SIP/2.0 200 OK", sequence: "9 BYE", tags: tags, branch: "9",
                callID: callID, isFromCallee: true))
    }

    /// Leaves out what a capture does not have that sees no more than these frames, told by their payload and where they come
    /// from.
    mutating func keep(where isSeen: (_ address: UInt32, _ payload: ArraySlice<UInt8>) -> Bool) {
        frames.removeAll { frame in
            !isSeen(frame.bytes[26..<30].reduce(0) { $0 << 8 | UInt32($1) }, frame.bytes[42...])
        }
    }

    /// Sends packets of more than so many bytes in two fragments ([RFC 791 §3.2](https://www.rfc-editor.org/rfc/rfc791#section-3.2)),
    /// the second one so many seconds later; `nil` where it is not captured.
    mutating func fragment(over limit: Int, restAfter seconds: Double?) {
        frames = frames.enumerated().flatMap { index, frame -> [Frame] in
            let content = frame.bytes[34...]
            guard content.count > limit else { return [frame] }
            func piece(_ part: ArraySlice<UInt8>, _ offset: UInt16) -> [UInt8] {
                frame.bytes[..<16] + Self.big16(UInt16(20 + part.count)) + Self.big16(UInt16(1_000 + index))
                    + Self.big16(offset) + frame.bytes[22..<34] + part
            }
            let first = Frame(nanoseconds: frame.nanoseconds, bytes: piece(content.prefix(limit), 0x2000))
            guard let seconds else { return [first] }
            let rest = piece(content.dropFirst(limit), UInt16(limit / 8))
            return [first, Frame(nanoseconds: frame.nanoseconds + Int64(seconds * 1e9), bytes: rest)]
        }
    }

    private static func big16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

    private static func big32(_ value: UInt32) -> [UInt8] {
        big16(UInt16(value >> 16)) + big16(UInt16(truncatingIfNeeded: value))
    }

    // MARK: Playing

    /// Everything written, in order of time, through a probe.
    func run(_ options: ProbeOptions = ProbeOptions()) -> ProbeRun {
        var probe = WireProbe(linkType: .ethernet, options: options)
        play(into: &probe)
        return ProbeRun(ending: &probe)
    }

    func play(into probe: inout WireProbe) {
        let ordered = frames.enumerated().sorted {
            ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset)
        }
        for (_, frame) in ordered {
            let bytes = snapLength.map { Array(frame.bytes.prefix($0)) } ?? frame.bytes
            probe.take(
                bytes.span.bytes, wireLength: frame.bytes.count, at: ArrivalTime(nanoseconds: frame.nanoseconds))
        }
    }
}
