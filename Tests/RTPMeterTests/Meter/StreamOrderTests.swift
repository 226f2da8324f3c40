import RTPMeter
import Testing

@Suite struct StreamOrderTests {
    @Test(arguments: [0, 1, 65535, 65500, 65530, 1000])
    func `a steady stream has nothing missing, wherever its numbers begin`(first: Int) {
        let figures = RTPStreamMeter(steady(0..<200, first: first)).figures()
        #expect(figures.counts == Counts(packets: 200, unique: 200))
        #expect(figures.burstGap?.burstDensity == 0)
        #expect(abs((figures.burstGap?.gapSeconds ?? 0) - 4) < 1e-9)
    }

    @Test func `numbers that wrap many times are counted on`() {
        let figures = RTPStreamMeter(steady((0..<300_000).lazy.filter { $0 % 1000 != 999 })).figures()
        #expect(figures.counts == Counts(packets: 299_700, unique: 299_700, lost: 299))
        #expect(figures.lossRuns[1] == 299)
    }

    @Test(arguments: [0, 65535, 5])
    func `a first packet that was overtaken moves the beginning back`(first: Int) {
        let figures = RTPStreamMeter(steady([1, 0, 2, 3], first: first)).figures()
        #expect(figures.counts == Counts(packets: 4, unique: 4, reordered: 1))
    }

    @Test func `duplicates never make loss negative`() {
        let packets = steady(0..<50).flatMap { [$0, $0, $0] }
        let figures = RTPStreamMeter(packets.filter { $0.number != 1010 }).figures()
        #expect(figures.counts == Counts(packets: 147, unique: 49, lost: 1, duplicates: 98))
        #expect(figures.closeDuplicates == 98)
    }

    /// Every tenth packet comes so many numbers late.
    @Test(arguments: [1, 7, 8, 12, 120])
    func `a late packet that is recorded twice was not sent twice`(numbers: Int) {
        var packets = steady(0..<500)
        for place in packets.indices where place % 10 == 4 { packets[place].seconds += Double(numbers) * 0.02 + 0.001 }
        packets.sort { $0.seconds < $1.seconds }
        let copies = packets.map { packet in
            var copy = packet
            copy.seconds += 0.000_04
            return copy
        }
        let figures = RTPStreamMeter(zip(packets, copies).flatMap { [$0, $1] }).figures()
        #expect(figures.counts == Counts(packets: 1_000, unique: 500, duplicates: 500, reordered: 50))
        #expect(figures.closeDuplicates == 500)
    }

    /// The second time, just after another packet of the same place among the last eight.
    @Test(arguments: [(0.019, 5), (0.1605, 13)])
    func `a duplicate 19 ms later, or more, was sent twice, not recorded twice`(seconds: Double, place: Int) {
        var packets = steady(0..<20)
        var copy = packets[4]
        copy.seconds += seconds
        packets.insert(copy, at: place)
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.duplicates == 1)
        #expect(figures.closeDuplicates == 0)
    }

    @Test func `timing starts at the second copy of the very first packet`() {
        var packets = steady(0..<100, payloadType: 18)
        var early = packets[0]
        early.seconds = -0.019
        packets.insert(early, at: 0)
        let figures = RTPStreamMeter(packets).figures()
        #expect((figures.jitter?.maximumSeconds ?? 1) < 1e-9)
        #expect((figures.plainJitter?.maximumSeconds ?? 0) > 0.001)
    }

    @Test func `two packets that agree begin a new segment and both count`() {
        var meter = RTPStreamMeter(steady(0..<100))
        let restarted = steady(100..<200, first: 30000)
        #expect(meter.take(restarted[0]) == .rejected)
        #expect(meter.take(restarted[1]) == .restart)
        for packet in restarted.dropFirst(2) {
            #expect(meter.take(packet) == .inOrder)
        }
        #expect(meter.figures().counts == Counts(packets: 200, unique: 200, segments: 2))
    }

    @Test func `a stray is rejected and costs nothing`() {
        var packets = steady(0..<100)
        packets.insert(TestPacket(number: 40000, timestamp: 7, seconds: 0.99), at: 50)
        #expect(RTPStreamMeter(packets).figures().counts == Counts(packets: 101, unique: 100, rejected: 1))
    }

    @Test func `a restart recorded twice is one restart with duplicates`() {
        let packets = steady(0..<50) + steady(50..<100, first: 30000).flatMap { [$0, $0] }
        #expect(
            RTPStreamMeter(packets).figures().counts
                == Counts(packets: 150, unique: 100, duplicates: 50, segments: 2))
    }

    @Test func `an outage of more numbers than count as lost is time without sound all the same`() {
        let figures = RTPStreamMeter(steady(Array(0..<50) + Array(3300..<3400))).figures()
        #expect(figures.counts == Counts(packets: 150, unique: 150, segments: 2))
        #expect(abs(figures.lossGapSeconds - 65.02) < 1e-3 && figures.pauseSeconds == 0)
        #expect(figures.lastLossGap?.start == .test(0.98) && figures.lastLossGap?.end == .test(66))
        #expect(figures.lastLossGap?.lostPackets == 3250)
    }

    /// The numbers after it would pass for a new beginning, a gap, a copy or late packets.
    @Test(arguments: [4_464, 2_000, 0, 65_456, 35_000])
    func `so is one in which the numbers begin again`(beyond: Int) {
        let first = 49 + 65_536 + beyond
        let figures = RTPStreamMeter(steady(Array(0..<50) + Array(first..<(first + 100)))).figures()
        #expect(figures.counts == Counts(packets: 150, unique: 150, segments: 2))
        #expect(abs(figures.lossGapSeconds - Double(65_536 + beyond) * 0.02) < 1e-3 && figures.pauseSeconds == 0)
        #expect(figures.lastLossGap?.lostPackets == 65_535 + beyond)
    }

    @Test(arguments: [(30_000, 0), (3300, 4_000_000)])
    func `a sender that numbers on elsewhere, or whose clock does, had stopped`(first: Int, ticks: Int) {
        let resumed = steady(3300..<3400, first: first).map { packet in
            var packet = packet
            packet.timestamp &+= UInt32(ticks)
            return packet
        }
        let figures = RTPStreamMeter(steady(0..<50) + resumed).figures()
        #expect(figures.lossGapSeconds == 0 && figures.lastLossGap == nil)
    }

    @Test(arguments: [(2999, 2998, 0), (3000, 0, 1)])
    func `a gap of up to 2998 packets is loss, a larger one is a restart`(step: Int, lost: Int, restarts: Int) {
        let figures = RTPStreamMeter(steady(Array(0..<50) + Array((49 + step)..<(99 + step)))).figures()
        #expect(figures.counts == Counts(packets: 100, unique: 100, lost: lost, segments: 1 + restarts))
        #expect(figures.lossRuns.longest == lost)
    }

    @Test(arguments: [99, 100, 127])
    func `a packet that is late by up to 127 numbers is still recognised`(back: Int) {
        let late = Array(0..<200) + [200 - back]
        let packets = steady(late.enumerated().filter { $0.offset != 200 - back }.map(\.element) + [200, 201])
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.counts == Counts(packets: 202, unique: 202, reordered: 1))
    }

    @Test func `a sender that numbers on elsewhere at once has lost packets, and no time`() {
        let jumped = steady(300..<600).map { packet in
            var packet = packet
            packet.number &+= 1700
            packet.timestamp &+= 777_777_777
            return packet
        }
        let figures = RTPStreamMeter(steady(0..<300) + jumped).figures()
        #expect(figures.counts == Counts(packets: 600, unique: 600, lost: 1700))
        #expect(figures.lossGapSeconds == 0 && figures.lossGapPackets == 0 && figures.lastLossGap == nil)
    }

    /// The numbers go on so many ahead, and the timestamps and the packets as before.
    @Test(arguments: [(199, 199, 0), (200, 0, 200), (2_000, 0, 2_000)])
    func `numbers for which there was no time were never sent`(skipped: Int, lost: Int, forgiven: Int) {
        let jumped = steady(300..<600).map { packet in
            var packet = packet
            packet.number &+= UInt16(skipped)
            return packet
        }
        let figures = RTPStreamMeter(steady(0..<300) + jumped).figures()
        let segments = forgiven > 0 ? 2 : 1
        #expect(figures.counts == Counts(packets: 600, unique: 600, lost: lost, segments: segments))
        #expect(figures.forgivenPackets == forgiven && figures.lossGapSeconds == 0 && figures.pauseSeconds == 0)
    }

    /// The first packet after so much time, its timestamp ahead by so much beyond that of the one before.
    @Test(arguments: [(0.5, 0.02), (0.02, 0.5), (0.02, -0.02)])
    func `numbers are lost where either the timestamps or the time leave room for them`(seconds: Double, media: Double)
    {
        let resumed = steady(300..<400).map { packet in
            var packet = packet
            packet.number &+= 300
            packet.timestamp &+= UInt32(bitPattern: Int32(((media - 0.02) * 8_000).rounded()))
            packet.seconds += seconds - 0.02
            return packet
        }
        let figures = RTPStreamMeter(steady(0..<300) + resumed).figures()
        #expect(figures.counts == Counts(packets: 400, unique: 400, lost: 300))
        #expect(figures.forgivenPackets == 0)
    }

    @Test func `markers on many packets are those of pictures`() {
        func meter(every: Int) -> RTPStreamMeter {
            RTPStreamMeter(
                steady(0..<300).enumerated().map { index, packet in
                    var packet = packet
                    packet.hasMarker = index % every == 0
                    return packet
                })
        }
        #expect(meter(every: 1).marksPictures && meter(every: 3).marksPictures)
        #expect(!meter(every: 4).marksPictures && !meter(every: 50).marksPictures)
        #expect(!RTPStreamMeter(steady(0..<3)).marksPictures)
    }

    @Test func `the marker of a packet counts once, however often it comes`() {
        var packets = steady(0..<100)
        for index in [0, 50] { packets[index].hasMarker = true }
        let figures = RTPStreamMeter(packets.flatMap { [$0, $0] }).figures()
        #expect(figures.markers == 2 && figures.counts.duplicates == 100)
    }

    @Test func `losses are counted by the length of their run`() {
        let missing = [10, 20, 21, 40, 41, 42] + Array(60..<69) + Array(100..<115)
        let figures = RTPStreamMeter(steady((0..<400).filter { !missing.contains($0) })).figures()
        #expect(LossRuns.lengths.map { figures.lossRuns[$0] } == [1, 1, 1, 0, 0, 0, 0, 0, 1, 1])
        #expect(figures.lossRuns.longest == 15)
        #expect(figures.lost == missing.count)
    }

    /// Of a hundred packets of 20 ms the eleventh was overtaken; some of the others have not come.
    @Test(arguments: [
        ([96], 0.0, 0), ([91, 92, 95], 0.1, 0), ([40], 0, 1), ([85, 96], 0, 1), ([88, 89, 90, 91], 0, 4),
        ([96], 0.21, 1),
    ])
    func `while a stream flows, a number of the last 200 ms is not lost`(missing: [Int], since: Double, lost: Int) {
        let order = Array(0..<10) + [11, 10] + Array(12..<100)
        let meter = RTPStreamMeter(steady(order.filter { !missing.contains($0) }))
        let figures = meter.figures(waitingAt: .test(1.98 + since))
        #expect(figures.lost == lost)
        #expect(LossRuns.lengths.reduce(0) { $0 + $1 * figures.lossRuns[$1] } == lost)
        #expect(figures.counts.unique == 100 - missing.count)
        #expect(meter.isWaiting(at: .test(1.98 + since)) == (lost < missing.count))
        #expect(meter.figures().lost == missing.count)
    }

    @Test(arguments: [Array(0..<95) + Array(96..<100), [0, 2, 1] + Array(3..<75) + [99]])
    func `where no packet was overtaken, and after an interruption, none is waited for`(numbers: [Int]) {
        let meter = RTPStreamMeter(steady(numbers))
        #expect(!meter.isWaiting(at: .test(1.98)))
        #expect(meter.figures(waitingAt: .test(1.98)).counts == meter.figures().counts)
    }

    @Test func `after a restart the numbers of the last 200 ms are its own`() {
        let meter = RTPStreamMeter(steady([0, 2, 1] + Array(3..<96)) + steady([96, 97, 99], first: 30_000))
        #expect(meter.figures().counts == Counts(packets: 99, unique: 99, lost: 1, reordered: 1, segments: 2))
        #expect(
            meter.figures(waitingAt: .test(1.98)).counts
                == Counts(packets: 99, unique: 99, reordered: 1, segments: 2))
    }

    @Test func `telephone events count as packets of the stream, and as events without digits`() {
        var packets = steady(0..<120)
        for index in 40..<60 {
            packets[index].kind = .telephoneEvent
            packets[index].payloadType = 101
            packets[index].timestamp = index < 50 ? 40 * 160 : 50 * 160
        }
        let repeated = packets[59]
        packets.insert(contentsOf: [repeated, repeated], at: 60)
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.counts == Counts(packets: 122, unique: 120, duplicates: 2))
        #expect(figures.telephoneEventPackets == 20)
        #expect(figures.telephoneEvents == 2)
        #expect((figures.jitter?.maximumSeconds ?? 1) < 1e-9)
        #expect(figures.jitter?.samples == 98)
    }

    @Test func `a key that is held for longer than an event can say is one event, the next key another`() {
        var packets = steady(0..<120)
        for index in 40..<80 {
            packets[index].kind = .telephoneEvent
            packets[index].payloadType = 101
            packets[index].hasMarker = index == 40 || index == 70
            packets[index].timestamp = 40 * 160 + UInt32(index / 10 - 4) * 0xffff
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.telephoneEventPackets == 40)
        #expect(figures.telephoneEvents == 2)
    }

    @Test func `what has the payload type of the media is no event, whatever it looks like`() {
        var packets = steady(0..<120, payloadType: 111)
        for index in stride(from: 5, to: 120, by: 5) {
            packets[index].kind = .telephoneEvent
        }
        let figures = RTPStreamMeter(packets, clock: RTPClock(hertz: 8000, source: .signalled)).figures()
        #expect(figures.counts == Counts(packets: 120, unique: 120))
        #expect(figures.telephoneEventPackets == 0)
        #expect(figures.telephoneEvents == 0)
        #expect(figures.jitter?.samples == 119)
    }

    @Test func `another payload type in the same stream takes over when it stays`() {
        let changed = steady(0..<50) + steady(50..<300, payloadType: 9)
        let meter = RTPStreamMeter(changed)
        #expect(meter.payloadType == 9)
        #expect(meter.clock == RTPClock(hertz: 8000, source: .static))
        #expect(meter.figures().counts == Counts(packets: 300, unique: 300))
    }

    @Test func `a static clock does not outlive its payload type`() {
        let meter = RTPStreamMeter(steady(0..<50) + steady(50..<300, payloadType: 111))
        #expect(meter.clock == nil)
    }

    @Test(arguments: [RTPClock.Source.inferred, .signalled])
    func `no clock outlives its payload type where RFC 3551 has another one for the next`(source: RTPClock.Source) {
        var packets = steady(0..<300)
        for index in 0..<100 {
            packets[index].payloadType = 111
            packets[index].timestamp *= 6
        }
        let meter = RTPStreamMeter(packets, clock: RTPClock(hertz: 48_000, source: source))
        #expect(meter.payloadType == 0)
        #expect(meter.clock == RTPClock(hertz: 8000, source: .static))
        // The next one takes over with its 65th packet; none is measured against what was before.
        #expect(meter.figures().jitter?.samples == 99 + 135)
        #expect((meter.figures().jitter?.maximumSeconds ?? 1) < 1e-9)
    }

    /// The last packet has the number 1049.
    @Test(arguments: [(0, false), (1, true), (51, true), (0x7FFF, true), (0x8000, false), (-1, false), (-51, false)])
    func `a stream goes on over another path with a number that lies ahead`(step: Int, isResumed: Bool) {
        let meter = RTPStreamMeter(steady(0..<50))
        var packet = steady([100])[0]
        packet.number = UInt16(truncatingIfNeeded: 1049 + step)
        #expect(meter.isResumed(by: packet.header, at: packet.arrival) == isResumed)
    }

    /// Of it, 128 bytes are the window of 512 numbers.
    @Test func `one state of a stream takes one size of memory`() {
        #expect(MemoryLayout<RTPStreamMeter>.stride <= 800)
    }
}
