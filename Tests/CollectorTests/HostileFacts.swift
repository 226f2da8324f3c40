import CallModel
import TestSupport

/// Facts of which every member takes every form it may have, however senseless: what is kept must come back.
struct HostileFacts: RandomMaker {
    var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    static let doubles: [Double] = [
        0, -0.0, 1, -1, 250, 0.1, 1.0 / 3, .nan, .signalingNaN, .infinity, -.infinity, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e300, -2.5,
    ]

    static var plainStream: WireStream {
        WireStream(
            id: "3735928559", ssrc: 3_735_928_559, source: "10.77.0.0/24:40000", destination: "10.78.0.0/24:50004",
            kind: .audio, payloadType: 8, firstPacketAt: Timestamp(milliseconds: 0),
            lastPacketAt: Timestamp(milliseconds: 0))
    }

    /// Everything in a fact, bit for bit and members in one order: NaN is not equal to itself, and −0 is equal to 0.
    static func exact(_ fact: Fact) -> String {
        switch fact {
        case .wire(let report):
            var text = ""
            dump(report, to: &text)
            let figures = report.streams.map { stream in
                WireFigure.allCases.map { stream[$0]?.bitPattern } + [stream.packetMilliseconds?.bitPattern]
            }
            return "\(text)\(figures)"
        case .event(let event):
            return "\([event.time, event.receivedAt]) \(event.action) \(event.type) \(event.sequence as Any) "
                + "\(sorted(.object(event.members))) \(event.isContradicted)"
        case .report(let report):
            let objects = report.objects.map { object in
                "\(object.key) \(object.timestamp as Any) \(sorted(.object(object.members)))"
            }
            return "\(report.connection) \([report.time, report.receivedAt]) \(report.conflicts) \(report.notes) "
                + "\(objects)"
        }
    }

    private static func sorted(_ value: JSONValue) -> String {
        switch value {
        case .array(let values): "[\(values.map(sorted).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key):\(sorted($0.value))" }.joined(separator: ","))}"
        case .double(let double): "double \(double.bitPattern)"
        default: "\(value)"
        }
    }

    // MARK: Facts

    mutating func wire() -> Fact {
        .wire(
            WireReport(
                time: moment(), receivedAt: moment(), streams: (0..<count(4)).map { _ in stream() }, sensor: sensor(),
                audioPacketsSent: maybe { $0.number() }, isAudioDue: flip(),
                audioPacketsUndeliverable: maybe { $0.number() }, isContradicted: flip()))
    }

    mutating func event() -> Fact {
        .event(
            CallEvent(
                time: moment(), receivedAt: moment(), action: pick(["sip", "callState", "", text()]), type: text(),
                sequence: maybe { Int64($0.number()) }, members: members(depth: 3), isContradicted: flip()))
    }

    mutating func report() -> Fact {
        let objects = (0..<count(5)).map { _ in
            StatsObject(
                id: text(), type: StatsType(rawValue: text()), timestamp: maybe { $0.moment() },
                members: members(depth: 2))
        }
        return .report(
            StatsReport(
                stored: objects, conflicts: (0..<count(3)).map { _ in .init(type: .codec, id: text()) },
                notes: (0..<count(3)).map { _ in text() }, connection: ConnectionID(rawValue: text()), time: moment(),
                receivedAt: moment()))
    }

    private mutating func stream() -> WireStream {
        var stream = WireStream(
            id: text(), ssrc: .random(in: 0...UInt32.max, using: &random), source: text(), destination: text(),
            kind: pick(MediaKind.allCases), role: pick(WireStream.Role.allCases), payloadType: number(),
            firstPacketAt: moment(), lastPacketAt: moment())
        stream.codec = maybe { $0.text() }
        stream.clockRate = maybe { $0.number() }
        stream.clockOrigin = maybe { $0.pick(WireStream.ClockOrigin.allCases) }
        stream.formatParameters = maybe { $0.text() }
        stream.packetMilliseconds = maybe { $0.pick(Self.doubles) }
        stream.isEncrypted = maybe { $0.flip() }
        stream.lastControlAt = maybe { $0.moment() }
        stream.lastOutage = maybe { $0.span() }
        stream.receiverMetrics = maybe { facts in (0..<facts.count(3)).map { _ in facts.metrics() } }
        for figure in WireFigure.allCases { stream[figure] = maybe { $0.pick(Self.doubles) } }
        stream.lossRuns = (0..<count(12)).map { _ in number() }
        stream.delayBuckets = (0..<count(12)).map { _ in number() }
        return stream
    }

    /// Of a block on the wire no member is out of its range.
    private mutating func metrics() -> ReceiverMetrics {
        var metrics = ReceiverMetrics(
            reportedAt: moment(), reporter: .random(in: 0...UInt32.max, using: &random), reports: count(1_000))
        metrics.lossRate = .random(in: 0...1, using: &random)
        metrics.burstMilliseconds = count(65_535)
        metrics.signalLevelDecibels = maybe { -$0.count(128) }
        metrics.listeningMOS = maybe { .random(in: 1...5, using: &$0.random) }
        metrics.lossConcealment = maybe { $0.pick(ReceiverMetrics.LossConcealment.allCases) }
        metrics.isJitterBufferAdaptive = maybe { $0.flip() }
        return metrics
    }

    private mutating func sensor() -> SensorHealth {
        SensorHealth(
            packetsDroppedByKernel: maybe { $0.number() }, packetsDroppedByInterface: maybe { $0.number() },
            holes: (0..<pick([0, 1, 1_000])).map { _ in span() }, packetsRecordedTwice: number(),
            packetsCutShort: number(), unseenMedia: maybe { $0.pick(UnseenMedia.allCases) },
            watchedUntil: maybe { $0.moment() })
    }

    private mutating func members(depth: Int) -> JSONObject {
        (0..<count(4)).reduce(into: [:]) { members, _ in members[text()] = value(depth: depth) }
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: .null
        case 1: .bool(flip())
        case 2: .integer(Int64(number()))
        case 3: .double(pick(Self.doubles))
        case 4: .string(text())
        case 5: .array((0..<count(3)).map { _ in value(depth: depth - 1) })
        default: .object(members(depth: depth - 1))
        }
    }

    // MARK: Values

    private mutating func text() -> String {
        pick([
            "", "audio/opus", "10.77.0.0/24:5004", "e\u{301}", "\u{0}\u{FFFF}\"\\\n", "\u{1F600}",
            String(repeating: "ü", count: count(3_000)), String(UInt64.random(in: 0...UInt64.max, using: &random)),
        ])
    }

    private mutating func moment() -> Timestamp {
        Timestamp(milliseconds: pick([.min, .max, 0, -1, 1_795_230_000_000, Int64(number())]))
    }

    private mutating func span() -> TimeSpan {
        TimeSpan(start: moment(), end: maybe { $0.moment() })
    }

    private mutating func number() -> Int {
        pick([0, 1, -1, 127, 128, .max, .min, .random(in: -70_000...70_000, using: &random)])
    }

    private mutating func count(_ most: Int) -> Int {
        .random(in: 0...most, using: &random)
    }
}
