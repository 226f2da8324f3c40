import Testing

@testable import RTPMeter

/// A sender that falls silent or stops, and a network that swallows its packets meanwhile.
@Suite struct SenderSilenceTests {
    /// Opus at 48 kHz: sound for `before` seconds, a packet every 0.4 s for `silent`, and sound for `after`.
    private func talk(before: Double = 4, silent: Double, after: Double = 4) -> [TestPacket] {
        var packets: [TestPacket] = []
        var time = 0.0
        while time < before + silent + after - 1e-9 {
            let isSilent = time >= before - 1e-9 && time < before + silent - 1e-9
            packets.append(
                TestPacket(
                    number: UInt16(truncatingIfNeeded: 1_000 + packets.count),
                    timestamp: UInt32((time * 48_000).rounded()), seconds: time, payloadType: 111))
            time += isSilent ? 0.4 : 0.02
        }
        return packets
    }

    private func figures(_ packets: [TestPacket]) -> RTPStreamFigures {
        RTPStreamMeter(packets, clock: RTPClock(hertz: 48_000, source: .signalled)).figures()
    }

    @Test func `packets far apart without a missing number are silence, neither lost nor missing`() {
        let figures = figures(talk(silent: 8))
        #expect(figures.lost == 0)
        #expect(figures.lossGapSeconds == 0)
        #expect(figures.stallSeconds == 0)
        #expect(figures.pauseSeconds == 0)
        #expect(abs((figures.silenceSeconds ?? 0) - 20 * 0.38) < 1e-6)
    }

    @Test func `one packet lost in a silence is one lost, and no interruption`() {
        var packets = talk(silent: 8)
        packets.removeAll { abs($0.seconds - 6) < 0.01 }
        #expect(figures(packets).lost == 1)
        #expect(figures(packets).lossGapSeconds == 0)
    }

    /// Twelve numbers are missing, and 5 s.
    @Test(arguments: [3.0, 5, 6.5]) func `a path that is down in a silence is dark all the time`(_ seconds: Double) {
        let packets = talk(silent: 10).filter { !(7..<(7 + seconds)).contains($0.seconds) }
        let figures = figures(packets)
        #expect(abs(figures.lossGapSeconds - seconds) <= 0.4, "\(figures.lossGapSeconds)")
        #expect(figures.lossGapPackets == figures.lost)
        #expect(figures.pauseSeconds == 0)
    }

    @Test func `a path that goes down in a silence and comes back in speech is dark all the time`() {
        let packets = talk(silent: 6).filter { !(7..<12).contains($0.seconds) }
        #expect(abs(figures(packets).lossGapSeconds - 5) <= 0.4)
    }

    @Test func `updates of comfort noise tell of a path that is down as packets of silence do`() {
        let packets = talk(silent: 10).map { packet in
            guard (3.99..<13.99).contains(packet.seconds) else { return packet }
            var packet = packet
            (packet.payloadType, packet.kind) = (13, .comfortNoise)
            return packet
        }
        let figures = figures(packets.filter { !(7..<10).contains($0.seconds) })
        #expect(abs(figures.lossGapSeconds - 3) <= 0.4, "\(figures.lossGapSeconds)")
        #expect(figures.lossGapPackets == figures.lost)
        #expect(figures.pauseSeconds == 0)
    }

    /// Words of 2 s with pauses of 0.8 s, and one of 2.4 s after which packets are lost. In a pause nothing is sent, or
    /// one packet of comfort noise when it begins.
    private func words(lost: Int, hasNoise: Bool) -> [TestPacket] {
        var packets: [TestPacket] = []
        var (number, index) = (1_000, 0)
        func packet(marker: Bool) -> TestPacket {
            TestPacket(
                number: UInt16(number), timestamp: UInt32(index * 160), seconds: Double(index) * 0.02,
                hasMarker: marker)
        }
        for (word, pause) in [40, 40, 40, 40, 40, 120, 0].enumerated() {
            for place in 0..<100 {
                if word < 6 || place >= lost { packets.append(packet(marker: place == 0)) }
                (number, index) = (number + 1, index + 1)
            }
            if hasNoise {
                var noise = packet(marker: false)
                (noise.payloadType, noise.kind) = (13, .comfortNoise)
                packets.append(noise)
                (number, index) = (number + 1, index + 1)
            }
            index += pause
        }
        return packets
    }

    @Test(arguments: [1, 6, 9], [false, true])
    func `packets lost beside a pause of a sender that sends no updates leave it a pause`(lost: Int, hasNoise: Bool) {
        let figures = RTPStreamMeter(words(lost: lost, hasNoise: hasNoise)).figures()
        #expect(figures.lost == lost)
        #expect(figures.lossGapSeconds == 0)
        #expect(abs(figures.pauseSeconds - 2.42) < 0.001, "\(figures.pauseSeconds)")
    }

    /// Sound of 2 s and silence of 2 s in turn, in which nothing is sent, or one packet of comfort noise when it begins. What is
    /// sent from 20 s on for so long does not come.
    private func talkspurts(hasNoise: Bool, lostFrom start: Double, for seconds: Double) -> [TestPacket] {
        var packets: [TestPacket] = []
        for index in 0..<3_000 where index % 200 < (hasNoise ? 101 : 100) {
            var packet = TestPacket(
                number: UInt16(1_000 + packets.count), timestamp: UInt32(index * 160), seconds: Double(index) * 0.02,
                hasMarker: index % 200 == 0)
            if index % 200 == 100 { (packet.payloadType, packet.kind) = (13, .comfortNoise) }
            packets.append(packet)
        }
        return packets.filter { !(start - 1e-6..<start + seconds - 1e-6).contains($0.seconds) }
    }

    /// An outage takes one talkspurt, the end of one, the beginning of one, or two; and so many packets of comfort noise.
    @Test(arguments: [(20.0, 2.0, 100, 0), (21, 2, 50, 1), (19, 2, 50, 0), (19.5, 7, 200, 2)], [false, true])
    func `what a sender that numbers on over its silences had said is lost`(
        _ outage: (start: Double, seconds: Double, lost: Int, noise: Int), hasNoise: Bool
    ) {
        let packets = talkspurts(hasNoise: hasNoise, lostFrom: outage.start, for: outage.seconds)
        let figures = RTPStreamMeter(packets).figures()
        let lost = outage.lost + (hasNoise ? outage.noise : 0)
        #expect(figures.counts == Counts(packets: packets.count, unique: packets.count, lost: lost))
        #expect(figures.forgivenPackets == 0 && figures.lossGapPackets == lost)
        #expect(abs(figures.lossGapSeconds - Double(lost) * 0.02) < 0.001, "\(figures.lossGapSeconds)")
    }

    /// Where the talkspurt that comes next is marked, what is missing lies before its silence.
    @Test(arguments: [(21.0, 20.98), (19, 20)])
    func `what is lost beside a silence is told where it was said`(from start: Double, outage: Double) {
        let gap = RTPStreamMeter(talkspurts(hasNoise: false, lostFrom: start, for: 2)).figures().lastLossGap
        #expect(gap?.start == .test(outage) && gap?.end == .test(outage + 1) && gap?.lostPackets == 50)
    }

    /// A hundred packets tell that they last longer now; 75 of them are missing before.
    @Test(arguments: [3, 40, 90])
    func `a path that goes down just after packets have become longer is dark`(after: Int) {
        let arrived = (0..<400).filter { $0 < after || $0 >= after + 75 }
        let longer = arrived.map { (index: Int) -> TestPacket in
            TestPacket(
                number: UInt16(1_200 + index), timestamp: UInt32(32_000 + index * 320),
                seconds: 4 + Double(index) * 0.04)
        }
        let figures = RTPStreamMeter(steady(0..<200) + longer).figures()
        #expect(figures.lost == 75 && figures.lossGapPackets == 75)
        #expect(abs(figures.lossGapSeconds - 3) < 0.001, "\(figures.lossGapSeconds)")
        #expect(figures.pauseSeconds == 0)
    }

    /// An application that takes the microphone off stops the clock of the stream with it.
    @Test(arguments: [true, false]) func `a sender that stops is a pause, whether or not its clock ran on`(
        _ runsOn: Bool
    ) {
        let packets = talk(silent: 0).map { packet in
            guard packet.seconds >= 4 else { return packet }
            var packet = packet
            packet.seconds += 8
            packet.timestamp += runsOn ? 8 * 48_000 : 0
            return packet
        }
        let figures = figures(packets)
        #expect(abs(figures.pauseSeconds - 8.02) < 0.01)
        #expect(figures.stallSeconds == 0)
        #expect(figures.lossGapSeconds == 0)
        #expect(figures.lost == 0)
    }

    @Test(arguments: [true, false]) func `numbers that jump meanwhile are no interruption`(_ runsOn: Bool) {
        let packets = talk(silent: 0).map { packet in
            guard packet.seconds >= 4 else { return packet }
            var packet = packet
            packet.seconds += 8
            packet.timestamp += runsOn ? 8 * 48_000 : 0
            packet.number += 30
            return packet
        }
        let figures = figures(packets)
        #expect(figures.lossGapSeconds == 0)
        #expect(figures.stallSeconds == 0)
        #expect(abs(figures.pauseSeconds - 8.02) < 0.02)
        #expect(figures.lost == 0)
        #expect(figures.forgivenPackets == 30)
    }

    /// As Chromium resumes a stream: padding with the last timestamp, then sound whose clock ran on.
    @Test func `a sender that resumes with padding had stopped all the same`() {
        var packets = talk(silent: 0).map { packet in
            guard packet.seconds >= 4 else { return packet }
            var packet = packet
            packet.seconds += 8
            packet.timestamp += 8 * 48_000
            return packet
        }
        if let first = packets.firstIndex(where: { $0.seconds >= 12 }) {
            packets[first].kind = .padding
            packets[first].timestamp = packets[first - 1].timestamp
        }
        let figures = figures(packets)
        #expect(figures.stallSeconds == 0)
        #expect(abs(figures.pauseSeconds - 8.02) < 0.01)
    }

    @Test func `what is not decided yet counts for neither`() {
        let packets = talk(silent: 0).compactMap { packet -> TestPacket? in
            guard packet.seconds >= 4 else { return packet }
            guard packet.seconds < 4.3 else { return nil }
            var packet = packet
            packet.seconds += 8
            return packet
        }
        #expect(figures(packets).pauseSeconds == 0)
        #expect(figures(packets).stallSeconds == 0)
    }

    /// The clock of the sender stands still for three seconds, and a single packet comes.
    @Test(arguments: [(0.4, 0.0), (0.6, 3.0)])
    func `a standstill is a pause when nothing has come in time to tell`(after: Double, pause: Double) {
        var packets = steady(0..<101)
        packets[100].seconds += 2.98
        var meter = RTPStreamMeter(packets)
        meter.settleStandstill(at: .test(packets[100].seconds + after))
        #expect(abs(meter.figures().pauseSeconds - pause) < 0.001 && meter.awaitsVerdict == (pause == 0))
    }
}
