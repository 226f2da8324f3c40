import CallModel
import TestSupport

/// Facts that clash: few ids, few members, few values, so that any two say different things of one object.
struct RandomFacts: RandomMaker {
    var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    /// A report of one moment of one connection.
    mutating func report() -> StatsReport {
        let objects = (0..<Int.random(in: 0...6, using: &random)).map { _ in object() }
        return StatsReport(
            connection: .only, time: Timestamp(milliseconds: 1_000), receivedAt: receipt(), objects: objects,
            notes: notes())
    }

    /// A message of one event.
    mutating func event() -> CallEvent {
        CallEvent(
            time: Timestamp(milliseconds: 1_000), receivedAt: receipt(), action: "callState", type: "ENDED",
            members: members(), isContradicted: Int.random(in: 0...9, using: &random) == 0)
    }

    /// What a probe says of one moment.
    mutating func wire() -> WireReport {
        let sensor = SensorHealth(packetsDroppedByKernel: pick([nil, 0, 7]), packetsRecordedTwice: pick([0, 1]))
        let sent: [Int?] = [nil, 0, 250]
        return WireReport(
            time: Timestamp(milliseconds: 1_000), receivedAt: receipt(),
            streams: (0..<Int.random(in: 0...3, using: &random)).map { _ in stream() }, sensor: sensor,
            audioPacketsSent: pick(sent), isContradicted: Int.random(in: 0...9, using: &random) == 0)
    }

    private mutating func stream() -> WireStream {
        var stream = WireStream(
            id: pick(["1", "2", "2#2"]), ssrc: pick([1, 2]), source: "", destination: "",
            kind: pick(MediaKind.allCases), payloadType: 0, firstPacketAt: Timestamp(milliseconds: 0),
            lastPacketAt: Timestamp(milliseconds: 990))
        let figures: [Double?] = [nil, 0, 1, 0.5]
        stream[.packetsReceived] = pick(figures)
        stream[.jitter] = pick(figures)
        return stream
    }

    private mutating func object() -> StatsObject {
        let type: StatsType = Bool.random(using: &random) ? .inboundRTP : .codec
        let stamps: [Int64?] = [nil, 990, 1_000]
        return StatsObject(
            id: pick(["a", "b", "c"]), type: type, timestamp: pick(stamps).map(Timestamp.init(milliseconds:)),
            members: members())
    }

    private mutating func members() -> JSONObject {
        let values: [JSONValue] = [.null, true, .integer(1), .double(1), "1", .double(0.5), ["x"], ["y": 2], "é"]
        return (0..<Int.random(in: 0...3, using: &random)).reduce(into: [:]) { members, _ in
            members[pick(["packets", "lost", "reason"])] = pick(values)
        }
    }

    private mutating func notes() -> [String] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(["cut an address", "read a number as text"]) }
    }

    private mutating func receipt() -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: 0...5, using: &random))
    }
}
