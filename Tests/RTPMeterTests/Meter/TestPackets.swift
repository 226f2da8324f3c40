import RTPMeter

/// One packet of a made-up stream.
struct TestPacket {
    var number: UInt16
    var timestamp: UInt32
    /// Seconds since the start of the test.
    var seconds: Double
    var hasMarker = false
    var payloadType: UInt8 = 0
    var kind = PacketKind.media

    var header: RTPHeader {
        RTPHeader(
            payloadType: payloadType, hasMarker: hasMarker, sequenceNumber: number, timestamp: timestamp, ssrc: 0,
            payload: 12..<172)
    }

    var arrival: ArrivalTime { .test(seconds) }
}

extension ArrivalTime {
    /// So many seconds after a moment of 2023.
    static func test(_ seconds: Double) -> ArrivalTime {
        ArrivalTime(nanoseconds: 1_700_000_000_000_000_000 + Int64((seconds * 1e9).rounded()))
    }
}

extension RTPStreamMeter {
    @discardableResult
    mutating func take(_ packet: TestPacket) -> Verdict {
        take(packet.header, arrival: packet.arrival, payloadBytes: 160, kind: packet.kind)
    }

    /// A meter that has taken `packets`.
    init(_ packets: some Sequence<TestPacket>, clock: RTPClock? = nil) {
        self.init(clock: clock)
        for packet in packets {
            take(packet)
        }
    }
}

/// Packets of 20 ms at 8000 Hz that arrive on time, with these numbers after `first`.
func steady(_ numbers: some Sequence<Int>, first: Int = 1000, payloadType: UInt8 = 0) -> [TestPacket] {
    numbers.map { index in
        TestPacket(
            number: UInt16(truncatingIfNeeded: first + index), timestamp: UInt32(truncatingIfNeeded: index * 160),
            seconds: Double(index) * 0.020, payloadType: payloadType)
    }
}

/// How packets were counted, to be compared whole.
struct Counts: Equatable {
    var packets = 0
    var unique = 0
    var lost = 0
    var duplicates = 0
    var reordered = 0
    var rejected = 0
    var segments = 1
}

extension RTPStreamFigures {
    var counts: Counts {
        Counts(
            packets: packets, unique: unique, lost: lost, duplicates: duplicates, reordered: reordered,
            rejected: rejected, segments: segments)
    }
}
