import RTPMeter
import TestSupport
import Testing

/// The meter against a plain reference over thousands of made-up streams.
@Suite struct StreamOracleTests {
    private let clock = RTPClock(hertz: 8000, source: .signalled)

    @Test(arguments: 0..<20)
    func `counts, loss runs, bursts and jitter equal the plain reference`(batch: Int) {
        for seed in UInt64(batch * 100)..<UInt64(batch * 100 + 100) {
            let packets = RandomStream(seed: seed, length: seed % 10 == 0 ? 5000 : 300).packets
            let oracle = StreamOracle(packets, hertz: 8000)
            let figures = RTPStreamMeter(packets, clock: clock).figures()

            #expect(figures.counts == oracle.counts, "seed \(seed)")
            #expect(figures.expected == figures.unique + figures.lost, "seed \(seed)")
            let runs = Dictionary(
                uniqueKeysWithValues: LossRuns.lengths.map { ($0, figures.lossRuns[$0]) }.filter { $0.1 > 0 })
            #expect(runs == oracle.lossRuns, "seed \(seed)")
            expectEqual(figures.jitter, oracle.jitter, "seed \(seed)")
            expectEqual(figures.plainJitter, oracle.plainJitter, "seed \(seed), plain")
            if figures.buffers.lateAdaptive == 0 {
                #expect(figures.burstGap == oracle.burstGap(packetSeconds: figures.packetSeconds), "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `losses alone give the bursts and gaps of the definition`(batch: Int) {
        for seed in UInt64(batch * 50)..<UInt64(batch * 50 + 50) {
            var random = RandomSource(seed: seed)
            let loss = Double.random(in: 0...0.6, using: &random)
            var isLosing = false
            let packets = steady(0..<2000, first: Int(seed) * 700).filter { _ in
                isLosing = Double.random(in: 0..<1, using: &random) < (isLosing ? 0.5 : loss * 0.2)
                return !isLosing
            }
            let oracle = StreamOracle(packets, hertz: 8000)
            let figures = RTPStreamMeter(packets).figures()
            #expect(figures.burstGap == oracle.burstGap(packetSeconds: 0.020), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<20)
    func `no more sound is missing in outages than time passed`(batch: Int) {
        for seed in UInt64(batch * 100)..<UInt64(batch * 100 + 100) {
            let packets = RandomStream(seed: seed, length: 300).packets
            let passed = zip(packets, packets.dropFirst()).reduce(0) { $0 + max(0, $1.1.seconds - $1.0.seconds) }
            let figures = RTPStreamMeter(packets, clock: clock).figures()
            #expect(figures.lossGapSeconds + figures.stallSeconds <= passed + 1e-3, "seed \(seed)")
        }
    }

    @Test func `figures in the middle change nothing`() {
        let packets = RandomStream(seed: 7, length: 5000).packets
        var disturbed = RTPStreamMeter()
        for packet in packets {
            disturbed.take(packet)
            _ = disturbed.figures()
        }
        #expect(disturbed.figures() == RTPStreamMeter(packets).figures())
    }

    @Test func `any header and any time is accepted`() {
        var random = RandomSource(seed: 1)
        let times: [Int64] = [.min, .max, 0, -1, 1, 1 << 62]
        for hertz: UInt32 in [1, 8000, 1 << 30] {
            var meter = RTPStreamMeter(clock: RTPClock(hertz: hertz, source: .signalled))
            for round in 0..<20_000 {
                let word = random.next()
                let header = RTPHeader(
                    payloadType: UInt8(truncatingIfNeeded: word & 0x7f), hasMarker: word & 128 != 0,
                    sequenceNumber: UInt16(truncatingIfNeeded: round % 3 == 0 ? word >> 8 : UInt64(round)),
                    timestamp: UInt32(truncatingIfNeeded: word >> 24), ssrc: 0, payload: 12..<12)
                let time = times[Int(word >> 60) % times.count] &+ Int64(round)
                let kind = PacketKind(rawValue: UInt8(word >> 58 & 3)) ?? .media
                _ = meter.take(
                    header, arrival: ArrivalTime(nanoseconds: time),
                    payloadBytes: Int(truncatingIfNeeded: word), kind: kind)
                if round % 1000 == 0 {
                    meter.forgiveNextGap()
                    meter.forgiveGap(openSince: ArrivalTime(nanoseconds: time))
                    #expect(meter.figures().lost >= 0)
                    _ = meter.openGap(at: ArrivalTime(nanoseconds: .max))
                }
            }
        }
    }

    private func expectEqual(_ figures: JitterFigures?, _ oracle: [Double], _ comment: Comment) {
        #expect(figures?.samples ?? 0 == oracle.count, comment)
        guard let figures, let last = oracle.last, let highest = oracle.max() else { return }
        #expect(abs(figures.currentSeconds - last) < 1e-9, comment)
        #expect(abs(figures.meanSeconds - oracle.reduce(0, +) / Double(oracle.count)) < 1e-9, comment)
        #expect(abs(figures.maximumSeconds - highest) < 1e-9, comment)
    }
}
