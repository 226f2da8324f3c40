import RTPMeter
import Testing

@Suite struct StreamProbationTests {
    @Test func `three packets in a row are a stream, and all of them count`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for (index, packet) in steady([7, 3, 4, 4, 5]).enumerated() {
            #expect(meter == nil, "before packet \(index)")
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
        }
        let figures = try #require(meter).figures()
        #expect(figures.counts == Counts(packets: 5, unique: 4, lost: 1, duplicates: 1, reordered: 3))
        #expect(figures.clock == RTPClock(hertz: 8000, source: .static))
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], [1000, 65534, 65535])
    func `three numbers in a row are a stream in any order`(numbers: [Int], first: Int) throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for packet in steady(numbers, first: first) {
            #expect(meter == nil)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
        }
        let figures = try #require(meter).figures()
        #expect(figures.unique == 3)
        #expect(figures.lost == 0)
    }

    @Test(arguments: [[0, 500, 2, 90, 1], [4, 2, 0, 1], [0, 1, 1, 0, 40, 2]])
    func `other packets between three numbers in a row do no harm`(numbers: [Int]) {
        var probation = StreamProbation()
        for (index, packet) in steady(numbers).enumerated() {
            let meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
            #expect((meter != nil) == (index == numbers.count - 1), "packet \(index)")
        }
    }

    @Test(arguments: [
        [1, 2], [1, 1, 1, 2, 4, 6, 8], [5, 900, 3], [8, 7, 5, 4, 2, 1], [0, 3, 1, 4, 0, 1], [0, 32768, 1, 32767],
    ])
    func `without three in a row there is no stream`(numbers: [Int]) {
        var probation = StreamProbation()
        for packet in steady(numbers) {
            let meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
            #expect(meter == nil)
        }
        #expect(!probation.isAccepted)
        let finished = probation.finish()
        #expect(finished == nil)
    }

    @Test func `three in a row must have one payload type`() {
        var probation = StreamProbation()
        for (index, packet) in steady(0..<30).enumerated() {
            var header = packet.header
            header.payloadType = UInt8(index % 2)
            let meter = probation.take(header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
            #expect(meter == nil)
        }
    }

    @Test func `three in any order must have one payload type, too`() {
        var probation = StreamProbation()
        for (index, packet) in steady([0, 2, 1]).enumerated() {
            var header = packet.header
            header.payloadType = index == 1 ? 8 : 0
            let meter = probation.take(header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
            #expect(meter == nil)
        }
        #expect(!probation.isAccepted)
    }

    @Test func `an announced stream needs two packets`() throws {
        var probation = StreamProbation(
            clock: RTPClock(hertz: 48_000, source: .signalled), isAnnounced: true)
        let packets = steady([0, 2], payloadType: 111)
        let first = probation.take(packets[0].header, arrival: packets[0].arrival, payloadBytes: 9, kind: .media)
        #expect(first == nil)
        let accepted = probation.take(packets[1].header, arrival: packets[1].arrival, payloadBytes: 9, kind: .media)
        let meter = try #require(accepted)
        #expect(meter.figures().counts == Counts(packets: 2, unique: 2, lost: 1))
        #expect(meter.clock?.hertz == 48_000)
    }

    @Test func `a stream of unknown clock is held until the clock is inferred, and jitter misses nothing`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for packet in steady(0..<64, payloadType: 96) {
            #expect(meter == nil)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
        }
        let figures = try #require(meter).figures()
        #expect(figures.clock == RTPClock(hertz: 8000, source: .inferred))
        #expect(figures.jitter?.samples == 63)
        #expect(probation.heldPackets == 0)
    }

    /// By 48,000 ticks a second, which is within 8 % of the pace of the first 64, each would come 1.6 ms later than the one
    /// before.
    @Test func `a stream of 44,100 Hz that begins unevenly is held until its clock is sure`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for index in 0..<256 {
            #expect(meter == nil)
            let packet = TestPacket(
                number: UInt16(index), timestamp: UInt32(index) * 882,
                seconds: index < 4 ? 0.055 + Double(index) * 0.001 : Double(index) / 50, payloadType: 96)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
        }
        let figures = try #require(meter).figures()
        #expect(figures.clock == RTPClock(hertz: 44_100, source: .inferred))
        #expect(figures.buffers.packets == 256 && figures.buffers.late60 + figures.buffers.lateAdaptive == 0)
    }

    @Test func `a stream that ends while it is held is measured with what there is`() throws {
        var probation = StreamProbation()
        for packet in steady(0..<5, payloadType: 96) {
            _ = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
        }
        let finished = probation.finish()
        let meter = try #require(finished)
        #expect(meter.clock == nil)
        #expect(meter.figures().counts == Counts(packets: 5, unique: 5))
    }

    @Test func `what is never accepted is not kept for ever`() {
        var probation = StreamProbation()
        for packet in steady((0..<100_000).lazy.map { $0 * 7 }) {
            _ = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
            #expect(probation.heldPackets <= StreamProbation.inferenceStep)
        }
    }

    @Test func `what is held no more is counted, whether or not it becomes a stream`() {
        let even = Array(stride(from: 0, to: 300, by: 2))
        for numbers in [even, even + [299, 300]] {
            var probation = StreamProbation()
            var counted = 0
            for packet in steady(numbers) {
                let meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
                counted += meter?.figures().packets ?? 0
            }
            #expect(probation.forgottenPackets > 0)
            #expect(counted + probation.heldPackets + probation.forgottenPackets == numbers.count)
        }
    }

    // MARK: What looks like RTP

    /// Packets with these lengths in the place of the number.
    private static func lengths(_ lengths: [Int], counting bytes: Int) -> [RTPHeader] {
        lengths.enumerated().map { index, length in
            RTPHeader(
                payloadType: 10, sequenceNumber: UInt16(length - bytes), timestamp: UInt32(index) * 1_000, ssrc: 0,
                payload: 12..<length)
        }
    }

    @Test(arguments: [0, 96] as [UInt8])
    func `what counts its packets and has a timestamp that stands still is no stream`(payloadType: UInt8) {
        var probation = StreamProbation()
        for index in 0..<500 {
            let packet = TestPacket(
                number: UInt16(index), timestamp: 0, seconds: Double(index) * 0.02, payloadType: payloadType)
            let meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
            #expect(meter == nil)
            #expect(probation.isAccepted == (2..<25).contains(index), "packet \(index)")
        }
        let finished = probation.finish()
        #expect(finished == nil)
    }

    /// The number of the transaction lies where RTP has the sequence number, its kind where RTP has the timestamp, and then
    /// the version or the status (RFC 5531 §9).
    @Test(arguments: [(0, 2, 1_024), (1, 0, 1_024), (1, 1, 3), (0, 2, 3)] as [(UInt32, UInt32, Int)])
    func `remote procedure calls are no stream, however many come how fast`(kind: UInt32, status: UInt32, count: Int) {
        var probation = StreamProbation()
        for index in 0..<count {
            let header = RTPHeader(
                payloadType: 0, sequenceNumber: UInt16(index), timestamp: kind, ssrc: status, payload: 12..<124)
            let meter = probation.take(
                header, arrival: .test(Double(index) * 1e-4), payloadBytes: 112, kind: .media)
            #expect(meter == nil)
        }
        let finished = probation.finish()
        #expect(finished == nil)
    }

    @Test func `the packets of one picture are a stream, and none of them is left out`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for index in 0..<101 {
            #expect(meter == nil)
            let packet = TestPacket(
                number: UInt16(index), timestamp: index < 100 ? 0 : 18_000, seconds: Double(index) * 0.0019,
                payloadType: 26)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
        }
        let figures = try #require(meter).figures()
        #expect(figures.counts == Counts(packets: 101, unique: 101))
        #expect(figures.clock == RTPClock(hertz: 90_000, source: .static))
    }

    @Test func `a picture of more packets than are held is a stream`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for index in 0..<StreamProbation.capacity {
            #expect(meter == nil)
            let packet = TestPacket(
                number: UInt16(index), timestamp: 7, seconds: Double(index) * 0.0001, payloadType: 26)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
        }
        #expect(try #require(meter).figures().unique == StreamProbation.capacity)
    }

    @Test func `a timestamp that stands still may move later, and may stand still where signalling announced it`() {
        for isAnnounced in [false, true] {
            var probation = StreamProbation(isAnnounced: isAnnounced)
            var course: [Bool] = []
            for index in 0..<8 {
                let packet = TestPacket(
                    number: UInt16(index), timestamp: index < 7 ? 0 : 160, seconds: Double(index) * 0.125,
                    payloadType: 96)
                _ = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
                course.append(probation.isAccepted)
            }
            let alone = [false, false, true, true, false, false, false, true]
            #expect(course == (isAnnounced ? [false] + Array(repeating: true, count: 7) : alone))
        }
    }

    /// A key held for long (RFC 4733 §2.2), and padding.
    @Test(arguments: [PacketKind.telephoneEvent, .padding])
    func `packets that may all have one timestamp are a stream`(kind: PacketKind) throws {
        var probation = StreamProbation()
        for index in 0..<20 {
            let packet = TestPacket(
                number: UInt16(index), timestamp: 0, seconds: Double(index) * 0.05, payloadType: 101)
            _ = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 4, kind: kind)
        }
        let finished = probation.finish()
        #expect(try #require(finished).figures().unique == 20)
    }

    /// As in BACnet (annex J), or in what counts the bytes that follow.
    @Test(arguments: [0, 4]) func `numbers that are all lengths of their packets are no stream`(uncounted: Int) {
        var probation = StreamProbation()
        for (index, header) in Self.lengths([40, 41, 42, 40, 43, 41, 42, 43], counting: uncounted).enumerated() {
            let arrival = ArrivalTime.test(Double(index) * 0.7)
            let meter = probation.take(header, arrival: arrival, payloadBytes: 30, kind: .media)
            #expect(meter == nil)
        }
        #expect(!probation.isAccepted)
    }

    /// The packets have 172 bytes each, and the numbers pass that.
    @Test func `a stream whose first numbers are by chance its lengths is one from the first packet on`() throws {
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for packet in steady(0..<6, first: 168) {
            #expect(meter == nil)
            meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
        }
        #expect(try #require(meter).figures().counts == Counts(packets: 6, unique: 6))
    }

    @Test(arguments: [([0, 0, 2, 2, 1], true), ([0, 0, 0, 2, 2, 2, 1], false)])
    func `three numbers in any order are no stream among more copies than packets`(numbers: [Int], isStream: Bool) {
        var probation = StreamProbation()
        for packet in steady(numbers) {
            _ = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 0, kind: .media)
        }
        #expect(probation.heldPackets == (isStream ? 0 : numbers.count))
    }

    /// 20 ms at 48 kHz and at 8 kHz, of which the first packets come all at once.
    @Test(arguments: [(20, 48_000), (40, 8000)] as [(Int, UInt32)], [100, 300])
    func `a stream that begins with what had been held back has a clock from its first packet on`(
        backlog: (packets: Int, hertz: UInt32), count: Int
    ) throws {
        let packets = (0..<count).map { index in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(index) * backlog.hertz / 50,
                seconds: Double(max(0, index - backlog.packets)) * 0.020 + Double(index) * 1e-5, payloadType: 111)
        }
        var probation = StreamProbation()
        var meter: RTPStreamMeter?
        for packet in packets {
            if meter != nil {
                meter?.take(packet)
            } else {
                meter = probation.take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: .media)
            }
        }
        let figures = try #require(meter ?? probation.finish()).figures()
        #expect(figures.clock == RTPClock(hertz: backlog.hertz, source: .inferred))
        #expect(figures.unique == count && figures.buffers.packets == count && figures.jitter?.samples == count - 1)
    }
}
