import RTPMeter

/// SIP over TCP: finds the connections that carry it among all others and reads their messages.
///
/// Bounded: so many directions of connections are followed; of more, those that were silent longest are forgotten.
struct SIPStreams: Sendable {
    private struct Stream {
        var reassembler = TCPReassembler()
        var framer = SIPStreamFramer()
        var lastActivity: ArrivalTime
    }

    private var streams: [Flow: Stream] = [:]
    private let maximumStreams: Int
    /// Places where bytes were missing in connections that carry SIP.
    private(set) var gaps = 0
    /// Messages that could not be used, by reason.
    private(set) var refused: [String: Int] = [:]

    private static let finFlag: UInt8 = 1
    private static let synFlag: UInt8 = 2
    private static let rstFlag: UInt8 = 4

    /// - Parameter maximumStreams: Directions of connections that are followed at once.
    init(maximumStreams: Int = 4096) {
        self.maximumStreams = max(1, maximumStreams)
    }

    /// The directions of connections being followed.
    var count: Int { streams.count }

    /// Takes a segment.
    /// - Parameters:
    ///   - flow: Where it came from and went to.
    ///   - sequence: The number of its first byte, or of its SYN.
    ///   - flags: FIN 1, SYN 2, RST 4.
    ///   - payload: Its bytes as far as they were captured.
    ///   - wireLength: How many it had.
    ///   - time: When it arrived.
    /// - Returns: The messages that are now complete.
    mutating func take(
        flow: Flow, sequence: UInt32, flags: UInt8, payload: [UInt8], wireLength: Int, at time: ArrivalTime
    ) -> [SIPMessage] {
        let isStart = flags & Self.synFlag != 0
        let isEnd = flags & (Self.finFlag | Self.rstFlag) != 0
        guard !payload.isEmpty || isStart || isEnd else { return [] }
        guard streams[flow] != nil || isStart || Self.beginsMessage(payload) else { return [] }
        if streams[flow] == nil {
            forgetSilentStreams()
            streams[flow] = Stream(lastActivity: time)
        }
        if isStart { streams[flow]?.framer = SIPStreamFramer() }
        let messages = feed(flow, sequence, isStart, payload, wireLength, time)
        // A connection's last bytes may still be on their way when its FIN has come; the silent are forgotten anyhow.
        if streams[flow]?.framer.isForeign == true || flags & Self.rstFlag != 0 { streams[flow] = nil }
        return messages
    }

    private mutating func feed(
        _ flow: Flow, _ sequence: UInt32, _ isStart: Bool, _ payload: [UInt8], _ wireLength: Int, _ time: ArrivalTime
    ) -> [SIPMessage] {
        guard var stream = streams.removeValue(forKey: flow) else { return [] }
        stream.lastActivity = time
        let deliveries = stream.reassembler.take(
            sequence: sequence, isStart: isStart, payload: payload, wireLength: wireLength, at: time)
        var messages: [SIPMessage] = []
        for delivery in deliveries {
            switch delivery {
            case .gap:
                if stream.framer.isReading { gaps += 1 }
                stream.framer.skipGap()
            case .bytes(let bytes):
                messages += stream.framer.take(bytes).compactMap { read($0) }
            }
        }
        streams[flow] = stream
        return messages
    }

    private mutating func read(_ bytes: [UInt8]) -> SIPMessage? {
        guard bytes.contains(where: { $0 != 0x0D && $0 != 0x0A }) else { return nil }  // keeps the connection alive
        do {
            return try SIPMessage(parsing: bytes)
        } catch {
            refused[error.label, default: 0] += 1
            return nil
        }
    }

    /// Whether a segment in the middle of a connection begins a message, so that the connection is worth following.
    /// Line ends before it are passed over ([RFC 3261 §7.5](https://www.rfc-editor.org/rfc/rfc3261#section-7.5)).
    private static func beginsMessage(_ payload: [UInt8]) -> Bool {
        guard let start = payload.firstIndex(where: { $0 != 0x0D && $0 != 0x0A }) else { return false }
        let isMessage = payload.withRawSpan { SIPMessage.isLikely($0.extracting(start...)) }
        return isMessage || WebSocketFramer.beginsHandshake(payload)
    }

    /// Makes room by a sixteenth at a time, so that a flood of connections costs little each.
    private mutating func forgetSilentStreams() {
        guard streams.count >= maximumStreams else { return }
        let oldest = streams.map { (activity: $0.value.lastActivity, flow: $0.key) }
            .sorted { $0.activity < $1.activity }
        for stream in oldest.prefix(1 + maximumStreams / 16) { streams[stream.flow] = nil }
    }
}
