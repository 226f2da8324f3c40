import RTPMeter
import Testing

/// Gaps of which signalling said that nothing would come, and from when on packets were due again.
@Suite struct AnnouncedGapTests {
    /// What is said of a gap.
    private struct Said: Equatable {
        var lost = 0
        var forgiven = 0
        var outage = 0.0
        var pause = 0.0
        var restarts = 0
    }

    /// A stream of packets every 20 ms of which nothing was due from 1 s on until `due`.
    private func said(_ packets: [TestPacket], dueFrom due: Double?) -> Said {
        var meter = RTPStreamMeter(packets.prefix(50))
        meter.forgiveNextGap()
        if let due { meter.forgiveGap(until: .test(due)) }
        for packet in packets.dropFirst(50) { meter.take(packet) }
        let figures = meter.figures()
        return Said(
            lost: figures.lost, forgiven: figures.forgivenPackets,
            outage: (figures.lossGapSeconds * 100).rounded() / 100,
            pause: (figures.pauseSeconds * 100).rounded() / 100, restarts: figures.restarts)
    }

    @Test func `a gap that goes on for more than a second after packets were due is an outage since then`() {
        let packets = steady(Array(0..<50) + Array(400..<500))
        #expect(said(packets, dueFrom: nil) == Said(forgiven: 350, pause: 7.02))
        #expect(said(packets, dueFrom: 5) == Said(lost: 150, forgiven: 200, outage: 3, pause: 4.02))
        #expect(said(packets, dueFrom: 7.5) == Said(forgiven: 350, pause: 7.02))
    }

    @Test func `so is one over which more numbers are missing than count as lost`() {
        let packets = steady(Array(0..<50) + Array(4_000..<4_100))
        #expect(said(packets, dueFrom: 70) == Said(lost: 500, outage: 10, pause: 69.02))
    }

    @Test func `a sender that numbers on from where it stopped has lost nothing`() {
        let packets = steady(0..<150).map { packet in
            var packet = packet
            if packet.number >= 1_050 { packet.seconds += 7 }
            return packet
        }
        #expect(said(packets, dueFrom: 5) == Said(pause: 7.02))
    }

    @Test func `few numbers beside a gap in which the sender had stopped are lost, more were sent elsewhere`() {
        /// Numbers on from `next` after 7 s in which nothing was sent.
        func stopped(before next: Int) -> [TestPacket] {
            steady(Array(0..<50) + Array(next..<150)).map { packet in
                var packet = packet
                if packet.number >= 1_000 + next { packet.seconds += 7 }
                return packet
            }
        }
        #expect(said(stopped(before: 51), dueFrom: nil) == Said(lost: 1, pause: 7.04))
        #expect(said(stopped(before: 60), dueFrom: nil) == Said(lost: 10, pause: 7.22))
        #expect(said(stopped(before: 61), dueFrom: nil) == Said(forgiven: 11, pause: 7.24))
        #expect(said(stopped(before: 53), dueFrom: 8) == Said(lost: 3, pause: 7.08))
    }

    @Test func `a gap that begins after packets were due is lost as ever`() {
        let packets = steady(Array(0..<100) + Array(250..<300))
        #expect(said(packets, dueFrom: 1.5) == Said(lost: 150, outage: 3))
    }
}
