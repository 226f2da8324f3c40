public import CallModel
import Deflate

/// What really happened to every packet of a recorded call: the log of the router between the two ends.
///
/// It is the oracle of the tests: no client had a hand in it.
public struct WireLog: Sendable {
    /// What became of a packet.
    public enum Fate: String, Sendable {
        /// Passed on.
        case passed = "P"
        /// Dropped at random.
        case lost = "L"
        /// Dropped from a full queue.
        case queueDropped = "Q"
        /// Dropped because the path was down.
        case pathDown = "D"
        /// A copy the router made.
        case duplicate = "U"
    }

    /// One RTP packet. Packets the router held too short to be parsed are not in the log.
    public struct Packet: Sendable {
        /// When it reached the router, in seconds since 1970.
        public var arrived: Double
        /// When it left; 0 for a lost one.
        public var left: Double
        public var source: String
        public var sequence: UInt16
        public var timestamp: UInt32
        public var fate: Fate

        public init(
            arrived: Double, left: Double, source: String, sequence: UInt16, timestamp: UInt32, fate: Fate
        ) {
            self.arrived = arrived
            self.left = left
            self.source = source
            self.sequence = sequence
            self.timestamp = timestamp
            self.fate = fate
        }

        public var isLost: Bool { fate == .lost || fate == .queueDropped || fate == .pathDown }
    }

    public let packets: [Packet]
    /// When the path was down, both ways.
    public let downtimes: [TimeSpan]

    /// Reads `wire.csv.gz` of a recording.
    public init(recording: String) throws {
        try self.init(log: "calls/\(recording)/wire.csv.gz")
    }

    /// Reads the router's log of a SIP call.
    public init(sipRecording recording: String) throws {
        try self.init(log: "sip/\(recording).wire.csv.gz")
    }

    private init(log: String) throws {
        let text = try Gzip.inflate(SharedData.bytes(log), maximumBytes: 256 << 20, maximumRatio: 1_000)
        let lines = text.split(separator: UInt8(ascii: "\n")).dropFirst()
        packets = lines.compactMap(Self.packet)
        downtimes = Self.downtimes(
            lines.filter { $0.first == UInt8(ascii: "#") }.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Marks are `#,time,command`; `set * * down=1` takes the path down, `down=0` brings it back.
    private static func downtimes(_ marks: [String]) -> [TimeSpan] {
        var spans: [TimeSpan] = []
        for mark in marks {
            let fields = mark.split(separator: ",", maxSplits: 2)
            guard fields.count == 3, let seconds = Double(fields[1]) else { continue }
            let time = Timestamp(milliseconds: Int64((1000 * seconds).rounded()))
            if fields[2] == "set * * down=1" { spans.append(TimeSpan(start: time, end: nil)) }
            if fields[2] == "set * * down=0", !spans.isEmpty { spans[spans.count - 1].end = time }
        }
        return spans
    }

    /// Columns: t_in, in, out, kind, len, sport, dport, pt, ssrc, seq, rtpts, fate, t_out. Marks begin with `#`.
    private static func packet(_ line: ArraySlice<UInt8>) -> Packet? {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 13, fields[3] == "rtp", fields[2] != "-", let fate = Fate(rawValue: fields[11]),
            let arrived = Double(fields[0]), let left = Double(fields[12]), let sequence = UInt16(fields[9]),
            let timestamp = UInt32(fields[10])
        else { return nil }
        return Packet(
            arrived: arrived, left: left, source: fields[8], sequence: sequence, timestamp: timestamp, fate: fate)
    }

    /// What the router did to the packets of one SSRC; those that reached it after `end` are left out.
    public func stream(_ source: String, until end: Timestamp? = nil) -> RouterStream {
        let limit = end.map { Double($0.milliseconds) / 1000 } ?? .infinity
        return RouterStream(packets: packets.filter { $0.source == source && $0.arrived <= limit })
    }
}

/// The packets of one SSRC on the wire.
public struct RouterStream: Sendable {
    public let packets: [WireLog.Packet]

    public init(packets: [WireLog.Packet]) {
        self.packets = packets
    }

    /// Packets the sender sent: copies made on the way are not among them.
    public var sent: Int { packets.count { $0.fate != .duplicate } }

    public var lost: Int { packets.count(where: \.isLost) }

    /// Lost packets in percent of those sent; `nil` when none was sent.
    public var lossPercent: Double? { sent > 0 ? 100 * Double(lost) / Double(sent) : nil }

    /// Lengths of the runs of lost packets, in packets, in order of time.
    public var lossRuns: [Int] {
        var runs: [Int] = []
        var run = 0
        for packet in packets.sorted(by: { $0.arrived < $1.arrived }) where packet.fate != .duplicate {
            if packet.isLost {
                run += 1
            } else if run > 0 {
                runs.append(run)
                run = 0
            }
        }
        return run > 0 ? runs + [run] : runs
    }

    /// Packets lost that libwebrtc and Firefox can count: in gaps below 50 packets in a row, between two that arrived.
    public var countableLost: Int {
        let sent = packets.filter { $0.fate != .duplicate }.sorted { $0.arrived < $1.arrived }
        guard let first = sent.firstIndex(where: { !$0.isLost }), let last = sent.lastIndex(where: { !$0.isLost })
        else {
            return 0
        }
        return RouterStream(packets: Array(sent[first...last])).lossRuns.filter { $0 < 50 }.reduce(0, +)
    }

    /// Mean of the interarrival jitter (RFC 3550 §6.4.1) over the packets that arrived, in ms; `nil` below two.
    public func meanJitterMilliseconds(clockRate: Int) -> Double? {
        let arrivals = packets.filter { $0.fate == .passed }.sorted { $0.left < $1.left }
        guard arrivals.count > 1 else { return nil }
        let clock = Double(clockRate)
        var jitter = 0.0
        var sum = 0.0
        for (before, now) in zip(arrivals, arrivals.dropFirst()) {
            let step = Int32(bitPattern: now.timestamp &- before.timestamp)
            jitter += (abs((now.left - before.left) * clock - Double(step)) - jitter) / 16
            sum += jitter
        }
        return 1000 * sum / clock / Double(arrivals.count - 1)
    }
}
