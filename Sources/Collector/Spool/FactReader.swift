import CallModel

/// Reads what ``FactWriter`` wrote.
struct FactReader {
    /// These bytes were not written by ``FactWriter``, or not all of them.
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var position: Int

    /// - Parameters:
    ///   - bytes: what was written.
    ///   - position: where reading begins.
    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func fact() throws(Damage) -> Fact {
        switch try byte() {
        case 0: .wire(try wireReport())
        case 1: .event(try event())
        case 2: .report(try statsReport())
        default: throw Damage()
        }
    }

    mutating func key() throws(Damage) -> FactKey {
        FactKey(time: try time(), rank: try int(), name: try text())
    }

    // MARK: Wire reports

    private mutating func wireReport() throws(Damage) -> WireReport {
        let time = try time()
        let receivedAt = try self.time(since: time)
        let isContradicted = try truth()
        let sent = try optional { (reader) throws(Damage) in try reader.int() }
        let isDue = try truth()
        let undeliverable = try optional { (reader) throws(Damage) in try reader.int() }
        let sensor = try sensor(since: time)
        let streams = try list { (reader) throws(Damage) in try reader.stream(since: time) }
        return WireReport(
            time: time, receivedAt: receivedAt, streams: streams, sensor: sensor, audioPacketsSent: sent,
            isAudioDue: isDue, audioPacketsUndeliverable: undeliverable, isContradicted: isContradicted)
    }

    private mutating func sensor(since time: Timestamp) throws(Damage) -> SensorHealth {
        let kernel = try optional { (reader) throws(Damage) in try reader.int() }
        let interface = try optional { (reader) throws(Damage) in try reader.int() }
        let twice = try int()
        let cut = try int()
        let holes = try list { (reader) throws(Damage) in try reader.span(since: time) }
        let unseen = try optional { (reader) throws(Damage) in try reader.choice(FactCode.unseenMedia) }
        let watched = try optional { (reader) throws(Damage) in try reader.time(since: time) }
        return SensorHealth(
            packetsDroppedByKernel: kernel, packetsDroppedByInterface: interface, holes: holes,
            packetsRecordedTwice: twice, packetsCutShort: cut, unseenMedia: unseen,
            watchedUntil: watched)
    }

    private mutating func stream(since time: Timestamp) throws(Damage) -> WireStream {
        var stream = WireStream(
            id: try text(), ssrc: UInt32(truncatingIfNeeded: try int()), source: try text(), destination: try text(),
            kind: try choice(FactCode.kinds), role: try choice(FactCode.roles), payloadType: try int(),
            firstPacketAt: time, lastPacketAt: time)
        stream.codec = try optional { (reader) throws(Damage) in try reader.text() }
        stream.clockRate = try optional { (reader) throws(Damage) in try reader.int() }
        stream.clockOrigin = try optional { (reader) throws(Damage) in try reader.choice(FactCode.clockOrigins) }
        stream.formatParameters = try optional { (reader) throws(Damage) in try reader.text() }
        stream.packetMilliseconds = try optional { (reader) throws(Damage) in try reader.double() }
        stream.isEncrypted = try optional { (reader) throws(Damage) in try reader.truth() }
        stream.firstPacketAt = try self.time(since: time)
        stream.lastPacketAt = try self.time(since: time)
        stream.lastControlAt = try optional { (reader) throws(Damage) in try reader.time(since: time) }
        stream.lastOutage = try optional { (reader) throws(Damage) in try reader.span(since: time) }
        stream.receiverMetrics = try optional { (reader) throws(Damage) in
            try reader.list { (reader) throws(Damage) in try reader.receiverMetrics() }
        }
        stream.figures = try figures()
        stream.lossRuns = try list { (reader) throws(Damage) in try reader.int() }
        stream.delayBuckets = try list { (reader) throws(Damage) in try reader.int() }
        return stream
    }

    private mutating func receiverMetrics() throws(Damage) -> ReceiverMetrics {
        guard let metrics = try? ReceiverMetrics(members: try members()) else { throw Damage() }
        return metrics
    }

    private mutating func figures() throws(Damage) -> WireFigures {
        let known = try bits()
        let other = try bits()
        let whole = try bits()
        var values: [Double] = []
        values.reserveCapacity(known.nonzeroBitCount)
        for place in 0..<known.nonzeroBitCount {
            if other & 1 << place == 0 {
                values.append(0)
            } else {
                values.append(whole & 1 << place == 0 ? try double() : Double(try varint()))
            }
        }
        guard let figures = WireFigures(known: known, values: values) else { throw Damage() }
        return figures
    }

    // MARK: What clients and signalling say

    private mutating func event() throws(Damage) -> CallEvent {
        let time = try time()
        return CallEvent(
            time: time, receivedAt: try self.time(since: time), action: try text(), type: try text(),
            sequence: try optional { (reader) throws(Damage) in Int64(try reader.int()) }, members: try members(),
            isContradicted: try truth())
    }

    private mutating func statsReport() throws(Damage) -> StatsReport {
        let connection = ConnectionID(rawValue: try text())
        let time = try time()
        let receivedAt = try self.time(since: time)
        let objects = try list { (reader) throws(Damage) in
            let key = try reader.objectKey()
            let stamp = try reader.optional { (reader) throws(Damage) in try reader.time(since: time) }
            return StatsObject(id: key.id, type: key.type, timestamp: stamp, members: try reader.members())
        }
        let conflicts = try list { (reader) throws(Damage) in try reader.objectKey() }
        let notes = try list { (reader) throws(Damage) in try reader.text() }
        return StatsReport(
            stored: objects, conflicts: conflicts, notes: notes, connection: connection, time: time,
            receivedAt: receivedAt)
    }

    private mutating func objectKey() throws(Damage) -> StatsObject.Key {
        StatsObject.Key(type: StatsType(rawValue: try text()), id: try text())
    }

    private mutating func members() throws(Damage) -> JSONObject {
        var members: JSONObject = [:]
        for _ in 0..<(try length()) { members[try text()] = try value() }
        return members
    }

    private mutating func value() throws(Damage) -> JSONValue {
        switch try byte() {
        case 0: .null
        case 1: .bool(false)
        case 2: .bool(true)
        case 3: .integer(Int64(try int()))
        case 4: .double(try double())
        case 5: .string(try text())
        case 6: .array(try list { (reader) throws(Damage) in try reader.value() })
        case 7: .object(try members())
        default: throw Damage()
        }
    }

    // MARK: Simple values

    private mutating func optional<Value>(
        _ read: (inout Self) throws(Damage) -> Value
    ) throws(Damage) -> Value? {
        try truth() ? try read(&self) : nil
    }

    private mutating func list<Value>(_ read: (inout Self) throws(Damage) -> Value) throws(Damage) -> [Value] {
        let count = try length()
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// How many elements follow; each takes a byte or more.
    private mutating func length() throws(Damage) -> Int {
        let count = try int()
        guard count >= 0, count <= bytes.count - position else { throw Damage() }
        return count
    }

    private mutating func choice<Case>(_ table: CodeTable<Case>) throws(Damage) -> Case {
        guard let choice = table[Int(try byte())] else { throw Damage() }
        return choice
    }

    private mutating func span(since time: Timestamp) throws(Damage) -> TimeSpan {
        TimeSpan(
            start: try self.time(since: time),
            end: try optional { (reader) throws(Damage) in try reader.time(since: time) })
    }

    private mutating func time() throws(Damage) -> Timestamp {
        Timestamp(milliseconds: Int64(try int()))
    }

    private mutating func time(since other: Timestamp) throws(Damage) -> Timestamp {
        Timestamp(milliseconds: other.milliseconds &+ Int64(try int()))
    }

    /// A text of any length.
    mutating func text() throws(Damage) -> String {
        let count = try varint()
        guard count <= UInt64(bytes.count - position) else { throw Damage() }
        let end = position + Int(count)
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private mutating func double() throws(Damage) -> Double {
        Double(bitPattern: try bits())
    }

    private mutating func truth() throws(Damage) -> Bool {
        try byte() != 0
    }

    /// A whole number of either sign.
    mutating func int() throws(Damage) -> Int {
        guard let number = try VariableLength.signed({ () throws(Damage) in try byte() }) else { throw Damage() }
        return Int(number)
    }

    private mutating func varint() throws(Damage) -> UInt64 {
        guard let number = try VariableLength.number({ () throws(Damage) in try byte() }) else { throw Damage() }
        return number
    }

    private mutating func bits() throws(Damage) -> UInt64 {
        guard bytes.count - position >= 8 else { throw Damage() }
        defer { position += 8 }
        return bytes.withUnsafeBytes { bytes in
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    private mutating func byte() throws(Damage) -> UInt8 {
        guard position < bytes.count else { throw Damage() }
        defer { position += 1 }
        return bytes[position]
    }
}
