import RTPMeter
import Testing

/// Packets that come when a hundred others and more have overtaken them: sent again, or held back on another path.
@Suite struct FarLatePacketTests {
    /// Pictures of three packets each, `rate` packets a second, of which those with the indices `late` come again, or for the
    /// first time, so many seconds after they were due: one behind the other at once.
    private func pictures(
        _ count: Int, rate: Double, late: Range<Int>, by delay: Double, wereLost: Bool = true
    ) -> [TestPacket] {
        func packet(_ index: Int, at seconds: Double) -> TestPacket {
            let ticks = index / 3 * Int(90_000 * 3 / rate)
            return TestPacket(
                number: UInt16(truncatingIfNeeded: 65_000 + index), timestamp: UInt32(ticks), seconds: seconds,
                hasMarker: index % 3 == 2, payloadType: 96)
        }
        let again = late.map { packet($0, at: Double(late.upperBound) / rate + delay + Double($0) * 1e-7) }
        let all = (0..<count).filter { !wereLost || !late.contains($0) }.map { packet($0, at: Double($0) / rate) }
        return (all + again).sorted { $0.seconds < $1.seconds }
    }

    private let pictureClock = RTPClock(hertz: 90_000, source: .signalled)

    @Test(arguments: [(300.0, 0.4), (600, 0.2), (1000, 0.15), (1000, 0.4)])
    func `lost packets of pictures that are sent again are late, and nothing is lost`(rate: Double, delay: Double) {
        let packets = pictures(3000, rate: rate, late: 1000..<1005, by: delay)
        let figures = RTPStreamMeter(packets, clock: pictureClock).figures()
        #expect(figures.counts == Counts(packets: 3000, unique: 3000, reordered: 5))
        #expect(figures.lossRuns == LossRuns() && figures.restarts == 0 && figures.lossGapSeconds == 0)
    }

    @Test func `packets of pictures that are sent twice, though they had come, are copies`() {
        let packets = pictures(3000, rate: 300, late: 1000..<1005, by: 0.4, wereLost: false)
        let figures = RTPStreamMeter(packets, clock: pictureClock).figures()
        #expect(figures.counts == Counts(packets: 3005, unique: 3000, duplicates: 5))
    }

    @Test func `one that came and one that had not are a copy and a late packet`() {
        let packets = pictures(3000, rate: 300, late: 1000..<1002, by: 0.4, wereLost: false)
        let lost = packets.firstIndex { $0.number == packets[1001].number }
        let figures = RTPStreamMeter(
            packets.enumerated().filter { $0.offset != lost }.map(\.element), clock: pictureClock
        ).figures()
        #expect(figures.counts == Counts(packets: 3001, unique: 3000, duplicates: 1, reordered: 1))
    }

    /// Five packets of 20 ms that another path holds back, and that come all at once.
    private func held(by delay: Double) -> [TestPacket] {
        steady(0..<1500).map { packet in
            var packet = packet
            let index = Int(packet.number) - 1000
            if (500..<505).contains(index) { packet.seconds = 10.101 + delay + Double(index - 500) * 0.0005 }
            return packet
        }.sorted { $0.seconds < $1.seconds }
    }

    @Test(arguments: [2.5, 6, 8])
    func `sound that was held back for seconds is received, and too late for every buffer`(delay: Double) {
        let figures = RTPStreamMeter(held(by: delay)).figures()
        #expect(figures.counts == Counts(packets: 1500, unique: 1500, reordered: 5))
        #expect(figures.buffers.late200 == 5 && figures.buffers.lateAdaptive == 5 && figures.buffers.packets == 1500)
        #expect((figures.burstGap?.bursts, figures.burstGap?.burstDensity) == (1, 1))
        // The four steps within the group are short of 19.5 ms each.
        #expect(figures.jitter.map { abs($0.maximumSeconds - 0.00443) < 1e-4 } == true)
        #expect(figures.delays.packets(atLeast: 0) == 5)
    }

    @Test(arguments: [447, 300, 128])
    func `a single packet is known up to 447 numbers back`(back: Int) {
        let packets = steady((0..<700).filter { $0 != 600 - back } + [700])
        var late = steady([600 - back])[0]
        late.seconds = 12.01
        let figures = RTPStreamMeter((packets + [late]).sorted { $0.seconds < $1.seconds }).figures()
        #expect(figures.counts == Counts(packets: 701, unique: 701, reordered: 1))
    }

    @Test func `beyond that it is rejected, and stays lost`() {
        var late = steady([100])[0]
        late.seconds = 12.01
        let packets = steady((0..<700).filter { $0 != 100 }) + [late]
        let figures = RTPStreamMeter(packets.sorted { $0.seconds < $1.seconds }).figures()
        #expect(figures.counts == Counts(packets: 700, unique: 699, lost: 1, rejected: 1))
        #expect(figures.lossRuns[1] == 1)
    }

    /// The numbers 200 to 249 are lost, and the sender begins anew there with another timestamp.
    @Test func `a sender that begins anew at numbers that are missing has another line of time`() {
        let anew = steady(400..<450, first: 800).map { packet in
            var packet = packet
            packet.timestamp &+= 987_654_321
            return packet
        }
        let figures = RTPStreamMeter(steady(Array(0..<200) + Array(250..<400)) + anew).figures()
        #expect(figures.counts == Counts(packets: 400, unique: 400, lost: 50, segments: 2))
    }

    @Test func `a recording that is played over and over begins anew each time, though its timestamps do, too`() {
        let packets = (0..<900).map { index in
            var packet = steady([index % 300])[0]
            packet.seconds = Double(index) * 0.020
            return packet
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.counts == Counts(packets: 900, unique: 900, segments: 3))
        #expect(figures.restarts == 2)
    }

    @Test func `what is lost for good is counted by its runs, wherever a block of numbers ends`() {
        let lost = [3, 64, 127, 128, 129, 500, 1000, 1001, 1499]
        let figures = RTPStreamMeter(steady((0..<1501).filter { !lost.contains($0) })).figures()
        #expect(LossRuns.lengths.map { figures.lossRuns[$0] } == [4, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(figures.counts == Counts(packets: 1492, unique: 1492, lost: 9))
    }
}
