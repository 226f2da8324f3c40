import RTPMeter
import Testing

/// What the capture did not record is no loss of the network.
@Suite struct CaptureHoleTests {
    /// A meter that is told of a hole since `start` (seconds) after the first 50 packets.
    private func meter(_ numbers: [Int], holeSince start: Double) -> RTPStreamMeter {
        let packets = steady(numbers)
        var meter = RTPStreamMeter(packets.prefix(50))
        meter.forgiveGap(openSince: .test(start))
        for packet in packets.dropFirst(50) {
            meter.take(packet)
        }
        return meter
    }

    /// The fiftieth packet arrives at 0.98 s. From 3000 on how many are missing is not certain, and not counted.
    @Test(arguments: [
        (1, 1), (2, 2), (49, 49), (50, 50), (2998, 2998), (2999, 2999), (3000, 0), (40_000, 0), (60_000, 0),
    ])
    func `a hole of any length is forgiven at once`(missing: Int, forgiven: Int) {
        let meter = meter(Array(0..<50) + Array((50 + missing)..<(100 + missing)), holeSince: 1.0)
        let figures = meter.figures()
        #expect(figures.counts == Counts(packets: 100, unique: 100, segments: 2))
        #expect(figures.forgivenPackets == forgiven && meter.forgivenPackets == forgiven)
        #expect(figures.restarts == 0)
        #expect(figures.lossRuns.count == 0 && figures.lossGapSeconds == 0 && figures.lastLossGap == nil)
    }

    @Test func `the packet after a hole begins a segment, and one of a restarted sender needs no other to confirm it`()
    {
        for number in [53, 5000, 0x8000 + 40, 65_000] {
            var meter = RTPStreamMeter(steady(0..<50))
            meter.forgiveGap(openSince: .test(0.98))
            let verdict = meter.take(steady([number])[0])
            #expect(verdict == .restart)
        }
    }

    @Test func `a sender that began anew in the hole, or without one, has done so`() {
        func renumbered(_ indices: Range<Int>, by step: UInt16) -> [TestPacket] {
            steady(indices).map { packet in
                var packet = packet
                packet.number &+= step
                return packet
            }
        }
        for step in [10_000, 40_000] as [UInt16] {
            var meter = RTPStreamMeter(steady(0..<50))
            meter.forgiveGap(openSince: .test(0.98))
            for packet in renumbered(100..<150, by: step) { meter.take(packet) }
            #expect(meter.figures().restarts == 1 && meter.figures().segments == 2)
            #expect(RTPStreamMeter(steady(0..<50) + renumbered(50..<100, by: step)).figures().restarts == 1)
        }
        #expect(RTPStreamMeter().figures().restarts == 0)
    }

    @Test func `only the gap that spans the hole is forgiven`() {
        let numbers = Array(0..<20) + Array(23..<53) + Array(58..<100) + Array(107..<150) + Array(307..<400)
        let figures = meter(numbers, holeSince: 1.05).figures()
        #expect(figures.counts == Counts(packets: 228, unique: 228, lost: 3 + 7 + 157, segments: 2))
        #expect(figures.forgivenPackets == 5)
    }

    @Test func `a stream that missed nothing in the hole has its later losses counted`() {
        let figures = meter(Array(0..<60) + Array(63..<100), holeSince: 0.98).figures()
        #expect(figures.counts == Counts(packets: 97, unique: 97, lost: 3))
        #expect(figures.forgivenPackets == 0)
    }

    @Test func `a hole that ended before the last packet forgives nothing`() {
        let figures = meter(Array(0..<50) + Array(53..<100), holeSince: 0.97).figures()
        #expect(figures.counts == Counts(packets: 97, unique: 97, lost: 3))
        #expect(figures.forgivenPackets == 0)
    }

    @Test func `each hole forgives its own gap`() {
        var meter = RTPStreamMeter(steady(0..<50))
        for (start, numbers) in [(1.0, 54..<100), (2.0, 106..<150), (3.0, 150..<170)] {
            meter.forgiveGap(openSince: .test(start))
            for packet in steady(numbers) {
                meter.take(packet)
            }
        }
        #expect(meter.figures().counts == Counts(packets: 160, unique: 160, segments: 3))
        #expect(meter.figures().forgivenPackets == 10 && meter.figures().missedPackets == 10)
    }

    @Test func `what was announced not to be sent is none of the hole`() {
        var meter = RTPStreamMeter(steady(0..<50))
        meter.forgiveNextGap()
        for packet in steady(150..<200) { meter.take(packet) }
        meter.forgiveGap(openSince: .test(4))
        #expect(meter.awaitsForgivenGap)
        for packet in steady(207..<250) { meter.take(packet) }
        #expect(meter.figures().counts == Counts(packets: 143, unique: 143, segments: 3))
        #expect(meter.figures().forgivenPackets == 107 && meter.figures().missedPackets == 7)
        #expect(!meter.awaitsForgivenGap)
    }

    @Test func `a hole before the first packet is none of the stream`() {
        var meter = RTPStreamMeter()
        meter.forgiveGap(openSince: .test(-1))
        for packet in steady(Array(0..<50) + Array(53..<100)) {
            meter.take(packet)
        }
        #expect(meter.figures().counts == Counts(packets: 97, unique: 97, lost: 3))
    }

    @Test func `forgiven is not lost, when a gap of a hold and a hole are one`() {
        var meter = RTPStreamMeter(steady(0..<50))
        meter.forgiveNextGap()
        meter.forgiveGap(openSince: .test(1.5))
        for packet in steady(Array(150..<200) + Array(300..<400)) {
            meter.take(packet)
        }
        // Both were said of the first gap; the second is a loss.
        #expect(meter.figures().counts == Counts(packets: 200, unique: 200, lost: 100, segments: 2))
        #expect(meter.figures().forgivenPackets == 100 && meter.figures().missedPackets == 0)
    }
}
