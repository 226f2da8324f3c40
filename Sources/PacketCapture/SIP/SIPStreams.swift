import RTPMeter

/// SIP over TCP: finds the connections that carry it among all others and reads their messages.
///
/// Bounded: so many directions of connections are followed; of more, those that were silent longest are forgotten.
struct SIPStreams: Sendable {
    /// A message that is complete.
    struct Received: Sendable {
        var message: SIPMessage
        var flow: Flow
        /// When its last byte came, or one before it for which that had waited.
        var time: ArrivalTime
    }

    private struct Stream {
        var reassembler = TCPReassembler()
        var framer = SIPStreamFramer()
        var lastActivity: ArrivalTime
        /// How many were followed before.
        let number: Int
    }

    private var streams: [Flow: Stream] = [:]
    private var strays = EarlySegments()
    private let maximumStreams: Int
    private var opened = 0
    /// Places where bytes were missing in connections that carry SIP.
    private(set) var gaps = 0
    /// Messages that could not be used, by reason.
    private(set) var refused: [String: Int] = [:]

    private static let finFlag: UInt8 = 1
    private static let synFlag: UInt8 = 2
    private static let rstFlag: UInt8 = 4
    private static let ackFlag: UInt8 = 16

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
    ///   - acknowledgment: The number of the next byte that its sender expects itself, where the flags have ACK.
    ///   - flags: FIN 1, SYN 2, RST 4, ACK 16.
    ///   - payload: Its bytes as far as they were captured.
    ///   - wireLength: How many it had.
    ///   - time: When it arrived.
    /// - Returns: The messages that are now complete, of both directions.
    mutating func take(
        flow: Flow, sequence: UInt32, acknowledgment: UInt32, flags: UInt8, payload: [UInt8], wireLength: Int,
        at time: ArrivalTime
    ) -> [Received] {
        var received: [Received] = []
        if flags & Self.ackFlag != 0 {
            received = feed(flow.reversed) { $0.acknowledge(acknowledgment, at: time) }
        }
        let isStart = flags & Self.synFlag != 0
        let isEnd = flags & (Self.finFlag | Self.rstFlag) != 0
        guard !payload.isEmpty || isStart || isEnd else { return received }
        guard streams[flow] != nil || isStart || Self.beginsMessage(payload) else {
            strays.add(EarlySegments.Segment(flow, sequence, payload, wireLength: wireLength, at: time))
            return received
        }
        // Where the SYN was not captured, the rest of the first message may have overtaken its beginning.
        let early = streams[flow] == nil && !isStart ? strays.take(of: flow, behind: sequence, at: time) : []
        if isStart {
            received += feed(flow) { $0.finish() }  // of the connection before
            streams[flow]?.framer = SIPStreamFramer()
        }
        open(flow, at: time)
        received += feed(flow) {
            $0.take(sequence: sequence, isStart: isStart, payload: payload, wireLength: wireLength, at: time)
        }
        for segment in early {
            received += feed(flow) {
                $0.take(
                    sequence: segment.sequence, isStart: false, payload: segment.payload,
                    wireLength: segment.wireLength, at: time)
            }
        }
        // A connection's last bytes may still be on their way when its FIN has come; the silent are forgotten anyhow.
        if flags & Self.rstFlag != 0 {
            received += feed(flow) { $0.finish() }
            streams[flow] = nil
        }
        return received
    }

    /// Lets time pass without a segment: gives up what will not come any more.
    /// - Returns: The messages that have waited for it, in order of their times.
    mutating func expire(at time: ArrivalTime) -> [Received] {
        feedWaiting { $0.expire(at: time) }
    }

    /// Gives up all that is missing, at the end of the capture.
    /// - Returns: The messages that have waited for it, in order of their times.
    mutating func finish() -> [Received] {
        feedWaiting { $0.finish() }
    }

    private mutating func feedWaiting(_ deliver: (inout TCPReassembler) -> [TCPReassembler.Delivery]) -> [Received] {
        let waiting = streams.filter(\.value.reassembler.isWaiting).sorted { $0.value.number < $1.value.number }
        let received = waiting.flatMap { feed($0.key, deliver) }
        return received.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private mutating func open(_ flow: Flow, at time: ArrivalTime) {
        if streams[flow] == nil {
            forgetSilentStreams()
            streams[flow] = Stream(lastActivity: time, number: opened)
            opened += 1
        }
        streams[flow]?.lastActivity = time
    }

    /// Reads what is now known of a stream.
    private mutating func feed(
        _ flow: Flow, _ deliver: (inout TCPReassembler) -> [TCPReassembler.Delivery]
    ) -> [Received] {
        guard let place = streams.index(forKey: flow) else { return [] }
        let deliveries = deliver(&streams.values[place].reassembler)
        var received: [Received] = []
        for delivery in deliveries {
            switch delivery {
            case .gap:
                if streams.values[place].framer.isReading { gaps += 1 }
                streams.values[place].framer.skipGap()
            case .bytes(let bytes, let time):
                received += read(bytes, ofStreamAt: place).map { Received(message: $0, flow: flow, time: time) }
            }
        }
        if streams.values[place].framer.isForeign { streams.remove(at: place) }
        return received
    }

    private mutating func read(
        _ bytes: [UInt8], ofStreamAt place: Dictionary<Flow, Stream>.Index
    ) -> [SIPMessage] {
        let before = streams.values[place].framer.oversizedMessages
        let messages = streams.values[place].framer.take(bytes)
        let oversized = streams.values[place].framer.oversizedMessages - before
        if oversized > 0 { refused["longer than 64 KiB", default: 0] += oversized }
        return messages.compactMap { read($0) }
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
