import CallModel

/// Writes facts in a compact form: a figure that is known and not 0 takes up to 8 bytes, times and counts a few.
///
/// Only the process that wrote it reads it back (``FactReader``), so it needs no version.
struct FactWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// How many bytes were written.
    var count: Int { bytes.count }

    /// Takes memory for so many bytes at once, of which only what is written to is used.
    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Starts anew in the same memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func put(_ fact: Fact) {
        switch fact {
        case .wire(let report):
            put(byte: 0)
            put(report)
        case .event(let event):
            put(byte: 1)
            put(event)
        case .report(let report):
            put(byte: 2)
            put(report)
        }
    }

    mutating func put(_ key: FactKey) {
        put(key.time)
        put(key.rank)
        put(key.name)
    }

    // MARK: Wire reports

    private mutating func put(_ report: WireReport) {
        put(report.time)
        put(report.receivedAt, since: report.time)
        put(report.isContradicted)
        putOptional(report.audioPacketsSent) { $0.put($1) }
        put(report.isAudioDue)
        putOptional(report.audioPacketsUndeliverable) { $0.put($1) }
        put(report.sensor, since: report.time)
        put(report.streams.count)
        for stream in report.streams { put(stream, since: report.time) }
    }

    private mutating func put(_ sensor: SensorHealth, since time: Timestamp) {
        putOptional(sensor.packetsDroppedByKernel) { $0.put($1) }
        putOptional(sensor.packetsDroppedByInterface) { $0.put($1) }
        put(sensor.packetsRecordedTwice)
        put(sensor.packetsCutShort)
        put(sensor.holes.count)
        for hole in sensor.holes { put(hole, since: time) }
        putOptional(sensor.unseenMedia) { $0.put(byte: FactCode.unseenMedia.code(of: $1)) }
        putOptional(sensor.watchedUntil) { $0.put($1, since: time) }
    }

    private mutating func put(_ stream: WireStream, since time: Timestamp) {
        put(stream.id)
        put(Int(stream.ssrc))
        put(stream.source)
        put(stream.destination)
        put(byte: FactCode.kinds.code(of: stream.kind))
        put(byte: FactCode.roles.code(of: stream.role))
        put(stream.payloadType)
        putOptional(stream.codec) { $0.put($1) }
        putOptional(stream.clockRate) { $0.put($1) }
        putOptional(stream.clockOrigin) { $0.put(byte: FactCode.clockOrigins.code(of: $1)) }
        putOptional(stream.formatParameters) { $0.put($1) }
        putOptional(stream.packetMilliseconds) { $0.put($1.bitPattern) }
        putOptional(stream.isEncrypted) { $0.put($1) }
        put(stream.firstPacketAt, since: time)
        put(stream.lastPacketAt, since: time)
        putOptional(stream.lastControlAt) { $0.put($1, since: time) }
        putOptional(stream.lastOutage) { $0.put($1, since: time) }
        putOptional(stream.receiverMetrics) { writer, reports in
            writer.put(reports.count)
            for report in reports { writer.put(report.members) }
        }
        put(stream.figures)
        put(stream.lossRuns)
        put(stream.delayBuckets)
    }

    /// Which figures are known; by their places among these, which are not 0 and which of those are whole; then these.
    private mutating func put(_ figures: WireFigures) {
        put(figures.known)
        let start = bytes.count
        var masks: (other: UInt64, whole: UInt64) = (0, 0)
        for _ in 0..<2 { put(UInt64(0)) }
        for (place, value) in figures.values.enumerated() where value.bitPattern != 0 {
            masks.other |= 1 << place
            if let whole = FactCode.whole(value) {
                masks.whole |= 1 << place
                VariableLength.append(whole, to: &bytes)
            } else {
                put(value.bitPattern)
            }
        }
        replace(masks.other, at: start)
        replace(masks.whole, at: start + 8)
    }

    private mutating func put(_ counts: [Int]) {
        put(counts.count)
        for count in counts { put(count) }
    }

    // MARK: What clients and signalling say

    private mutating func put(_ event: CallEvent) {
        put(event.time)
        put(event.receivedAt, since: event.time)
        put(event.action)
        put(event.type)
        putOptional(event.sequence) { $0.put(Int($1)) }
        put(event.members)
        put(event.isContradicted)
    }

    private mutating func put(_ report: StatsReport) {
        put(report.connection.rawValue)
        put(report.time)
        put(report.receivedAt, since: report.time)
        put(report.objects.count)
        for object in report.objects {
            put(object.key)
            putOptional(object.timestamp) { $0.put($1, since: report.time) }
            put(object.members)
        }
        put(report.conflicts.count)
        for key in report.conflicts { put(key) }
        put(report.notes.count)
        for note in report.notes { put(note) }
    }

    private mutating func put(_ key: StatsObject.Key) {
        put(key.type.rawValue)
        put(key.id)
    }

    private mutating func put(_ members: JSONObject) {
        put(members.count)
        for (name, value) in members {
            put(name)
            put(value)
        }
    }

    private mutating func put(_ value: JSONValue) {
        switch value {
        case .null: put(byte: 0)
        case .bool(let truth): put(byte: truth ? 2 : 1)
        case .integer(let integer):
            put(byte: 3)
            put(Int(integer))
        case .double(let double):
            put(byte: 4)
            put(double.bitPattern)
        case .string(let text):
            put(byte: 5)
            put(text)
        case .array(let values):
            put(byte: 6)
            put(values.count)
            for value in values { put(value) }
        case .object(let members):
            put(byte: 7)
            put(members)
        }
    }

    // MARK: Simple values

    private mutating func putOptional<Value>(_ value: Value?, _ put: (inout Self, Value) -> Void) {
        self.put(value != nil)
        if let value { put(&self, value) }
    }

    private mutating func put(_ span: TimeSpan, since time: Timestamp) {
        put(span.start, since: time)
        putOptional(span.end) { $0.put($1, since: time) }
    }

    private mutating func put(_ time: Timestamp) {
        put(Int(time.milliseconds))
    }

    /// Wraps around, as reading it does: any two times have a difference.
    private mutating func put(_ time: Timestamp, since other: Timestamp) {
        put(Int(time.milliseconds &- other.milliseconds))
    }

    /// A text of any length.
    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            VariableLength.append(UInt64(utf8.count), to: &bytes)
            bytes.append(contentsOf: utf8)
        }
    }

    private mutating func put(_ truth: Bool) {
        bytes.append(truth ? 1 : 0)
    }

    private mutating func put(byte: UInt8) {
        bytes.append(byte)
    }

    /// A whole number of either sign: the nearer to 0, the shorter.
    mutating func put(_ number: Int) {
        VariableLength.append(signed: Int64(number), to: &bytes)
    }

    private mutating func put(_ bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func replace(_ bits: UInt64, at place: Int) {
        withUnsafeBytes(of: bits.littleEndian) { source in
            for (index, byte) in source.enumerated() { bytes[place + index] = byte }
        }
    }
}
