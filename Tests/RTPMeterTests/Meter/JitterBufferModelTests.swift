import TestSupport
import Testing

@testable import RTPMeter

@Suite struct JitterBufferModelTests {
    /// Late packets of a stream whose packets are delayed by these milliseconds.
    private func buffers(_ delays: [Double]) -> JitterBufferFigures {
        let packets = zip(steady(0..<delays.count), delays).map { packet, delay in
            var packet = packet
            packet.seconds += delay / 1000
            return packet
        }
        return RTPStreamMeter(packets.sorted { $0.seconds < $1.seconds }).figures().buffers
    }

    @Test func `a steady path has nothing late and the shallowest buffer`() {
        let figures = buffers(Array(repeating: 0, count: 500))
        #expect(figures.packets == 500)
        #expect(figures.lateAdaptive + figures.late60 + figures.late200 == 0)
        // The aim is 20 ms: the depth may be 15 to 35 ms and stops where it comes into that band.
        #expect(abs(figures.adaptiveDepthSeconds - 0.035) < 1e-6)
        // 25 packets waited 80 ms before the buffer knew the path, the others 35 ms.
        #expect(abs(figures.adaptiveDelaySumSeconds - (25 * 0.080 + 475 * 0.035)) < 0.001)
        #expect(figures.adaptiveEmitted == 500)
        // What the depth moves before the first half second is over costs nothing.
        #expect(figures.lateSeconds == 0 && figures.stretchedSeconds == 0)
    }

    @Test(arguments: [(59.0, 0, 0), (61, 10, 0), (199, 10, 0), (201, 10, 10)])
    func `packets beyond 60 and 200 ms are late for the fixed buffers`(delay: Double, late60: Int, late200: Int) {
        let figures = buffers((0..<500).map { $0 % 50 == 49 ? delay : 0 })
        #expect(figures.late60 == late60)
        #expect(figures.late200 == late200)
    }

    /// The same delays where no packet overtakes the one before it, but comes 1 ms behind it.
    private func queued(_ delays: [Double]) -> [Double] {
        var before = 0.0
        return delays.map { delay in
            before = max(delay, before - 19)
            return before
        }
    }

    @Test func `the adaptive buffer learns a jitter and stops losing packets`() {
        let figures = buffers(queued((0..<2000).map { $0 % 10 == 9 ? 150.0 : 0 }))
        // 150, 131, 112, 93 and 74 ms each time, but for the last, which is the end.
        #expect(figures.late60 == 199 * 5 + 1)
        // The first of them waits 70 ms beyond the 80; then 150 lies between 120 and 160 ms, the band of the aim of 160.
        #expect(figures.lateAdaptive == 1)
        #expect(abs(figures.lateSeconds - 0.070) < 1e-6)
        #expect(abs(figures.adaptiveDepthSeconds - 0.150) < 1e-6)
        #expect(figures.stretchedSeconds == 0)
    }

    /// Of half second n, the weight is 2 / (n + 1), and (n - 1) / (n + 1) of all weights before is left. So 150 ms, which
    /// the first 21 half seconds have, have 21 · 22 / (n · (n + 1)) after n: 5 % is left after the 96th, at 48 s.
    @Test(arguments: [
        (95, 0.150, 0), (96, 0.100, 0.050), (97, 0.050, 0.100), (98, 0.035, 0.115), (400, 0.035, 0.115),
    ])
    func `the adaptive buffer becomes shallow again in half a minute or so`(
        halfSeconds: Int, depth: Double, stretched: Double
    ) {
        var model = JitterBufferModel()
        for index in 0..<halfSeconds {
            _ = model.take(delay: index < 21 ? 0.150 : 0)
            model.endInterval()
        }
        #expect(abs(model.figures.adaptiveDepthSeconds - depth) < 1e-6)
        #expect(abs(model.figures.stretchedSeconds - stretched) < 1e-6)
    }

    @Test func `a path that became slower is accepted within 10 s`() {
        let figures = buffers(Array(repeating: 0, count: 500) + Array(repeating: 100, count: 2000))
        // From 10.1 s until, at 15.1 s, a block of 5 s ends in which nothing was faster.
        #expect(figures.late60 == 250)
        #expect(figures.late200 == 0)
        #expect(figures.lateAdaptive == 1)
        #expect(abs(figures.lateSeconds - (0.100 - 0.035)) < 1e-6)
    }

    @Test(arguments: 0..<20)
    func `larger delays never make fewer packets late for a fixed buffer`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let pattern = (0..<1000).map { $0 % 5 == 0 ? 0 : Double.random(in: 0...1, using: &random) }
        let results = stride(from: 20.0, through: 400, by: 20).map { scale in
            buffers(pattern.map { $0 * scale })
        }
        for (smaller, larger) in zip(results, results.dropFirst()) {
            #expect(smaller.late60 <= larger.late60)
            #expect(smaller.late200 <= larger.late200)
        }
        #expect(results.allSatisfy { $0.late200 <= $0.late60 })
    }

    @Test func `packets too late for the adaptive buffer count as losses of a burst`() {
        var packets = steady(0..<400)
        for index in 200..<206 {  // each later than the one before, so that none is in time
            packets[index].seconds += 0.150 + Double(index - 200) * 0.020
        }
        let figures = RTPStreamMeter(packets.sorted { $0.seconds < $1.seconds }).figures()
        #expect(figures.lost == 0)
        #expect(figures.buffers.lateAdaptive == 6)
        #expect(figures.burstGap?.bursts == 1)
        #expect(figures.burstGap?.burstDensity == 1)
        // What follows them is there before them, so that they are missing and nothing else.
        #expect(abs(figures.buffers.lateSeconds - 6 * 0.020) < 1e-6)
    }

    @Test func `of packets equally late only the first is too late`() {
        let figures = buffers((0..<400).map { $0 < 200 ? 0 : 150 })
        #expect(figures.lateAdaptive == 1)
        #expect(abs(figures.lateSeconds - (0.150 - 0.035)) < 1e-6)
    }

    @Test(arguments: [200.0, 300, 500, 1000, 1800])
    func `a few packets that others overtook cost as much as if they were lost, however late they come`(delay: Double) {
        let figures = buffers((0..<3000).map { $0 % 50 == 20 ? delay : 0 })
        #expect(figures.lateAdaptive == 60)
        #expect(abs(figures.lateSeconds - 60 * 0.020) < 1e-4)
        #expect(abs(figures.adaptiveDepthSeconds - 0.035) < 1e-6)
        #expect(figures.stretchedSeconds == 0)
    }

    @Test(arguments: [(2, 50.0), (5, 100), (10, 150)])
    func `what is overtaken all the time is waited for`(every: Int, delay: Double) {
        let figures = buffers((0..<3000).map { $0 % every == 1 ? delay : 0 })
        #expect(figures.lateAdaptive < 40)
        #expect(figures.adaptiveDepthSeconds >= delay / 1000 - 1e-6)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `late packets that were overtaken are never missing for longer than they last`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let share = [0.01, 0.1, 0.5, 1][Int.random(in: 0..<4, using: &random)]
        let most = [60.0, 300, 1900][Int.random(in: 0..<3, using: &random)]
        // Of four packets the other three are in time, so that what comes more than 20 ms late is overtaken.
        let delays = (0..<1996).map { index in
            index % 4 == 2 && Double.random(in: 0..<1, using: &random) < share
                ? Double.random(in: 21...most, using: &random) : 0
        }
        let figures = buffers(delays)
        #expect(figures.lateSeconds <= 0.020 * Double(figures.lateAdaptive) + 1e-4)
        #expect(figures.lateAdaptive <= delays.count { $0 > 0 })
        #expect((0.035...1).contains(figures.adaptiveDepthSeconds))
    }
}
