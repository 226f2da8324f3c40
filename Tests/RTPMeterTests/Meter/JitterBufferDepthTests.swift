import TestSupport
import Testing

@testable import RTPMeter

/// How deep the adaptive buffer is from one half second to the next.
///
/// The expected values follow from the description of ``JitterBufferModel``. The band of an aim `a` reaches from the higher
/// of 0.75 a and a - 85 ms up to a, and is at least 20 ms wide. Of the first n half seconds, number k has 2 k / (n · (n + 1))
/// of the weight.
@Suite struct JitterBufferDepthTests {
    /// The depth after each half second, whose highest delays these are, in milliseconds.
    private func depths(_ model: inout JitterBufferModel, _ delays: [Float]) -> [Double] {
        delays.map { delay in
            _ = model.take(delay: delay / 1000)
            model.endInterval()
            return (Double(model.depth) * 10_000).rounded() / 10
        }
    }

    private func isNear(_ seconds: Float, _ milliseconds: Double) -> Bool {
        abs(Double(seconds) * 1000 - milliseconds) < 0.01
    }

    @Test func `a late packet stalls once, and as late ones after it are in time`() {
        var model = JitterBufferModel()
        let isInTime = [0.080, 0.081, 0.200, 0.200, 0.150, 0.200, 0.201].map { model.take(delay: $0) }
        #expect(isInTime == [true, false, false, true, true, true, false])
        #expect(isNear(model.stalled, 1 + 119 + 1))
        #expect(isNear(model.depth, 201))
        #expect(abs(model.waited - 0.050) < 1e-6)
    }

    @Test func `no packet is waited for longer than a second`() {
        var model = JitterBufferModel()
        let isInTime = [5, 1, 5].map { model.take(delay: $0) }
        #expect(isInTime == [false, true, false])
        #expect(isNear(model.stalled, 920))
        #expect(isNear(model.depth, 1000))
    }

    @Test func `the depth comes back by at most 50 ms each half second`() {
        // 300 ms in the first of n half seconds count until they are 2 of 42: after the sixth.
        var model = JitterBufferModel()
        let found = depths(&model, [300] + Array(repeating: 0, count: 12))
        #expect(found == [300, 300, 300, 300, 300, 250, 200, 150, 100, 50, 35, 35, 35])
        #expect(isNear(model.stalled, 220))
        #expect(isNear(model.stretched, 5 * 50 + 15))
    }

    /// Half seconds that are all alike: as late as their packets are, the depth is in the band of its aim from the start.
    @Test(arguments: [80, 81, 100, 101, 159, 199, 201, 241, 281, 321, 381, 441, 500] as [Float])
    func `the depth that a packet needed stays`(delay: Float) {
        var model = JitterBufferModel()
        #expect(depths(&model, Array(repeating: delay, count: 100)) == Array(repeating: Double(delay), count: 100))
        #expect(isNear(model.stalled, Double(delay) - 80))
        #expect(model.stretched == 0)
    }

    private static let bands: [(delays: [Float], depths: [Double], stretched: Double)] = [
        // 15...35 for an aim of 20 ms; the first step costs nothing, for no sound is out yet
        ([0, 0, 0], [35, 35, 35], 0),
        // 45...65 for an aim of 60: from above, and then on to 35
        ([50, 0, 0, 0, 0, 0, 0], [65, 65, 65, 65, 65, 35, 35], 30),
        // 45...65 for an aim of 60: from below
        ([0, 41, 41, 45], [35, 45, 45, 45], 4),
        // 60...80 for an aim of 80
        ([70, 61, 80], [80, 80, 80], 0),
        // 120...160 for an aim of 160, when that of 440 has been forgotten
        ([400] + Array(repeating: 150, count: 10), [400, 400, 400, 400, 400, 350, 300, 250, 200, 160, 160], 240),
        // 415...500 for the highest aim
        ([900] + Array(repeating: 450, count: 8), [850, 800, 750, 700, 650, 600, 550, 500, 500], 350),
    ]

    @Test(arguments: bands)
    func `the depth goes into the band around its aim and stays there`(
        delays: [Float], depths expected: [Double], stretched: Double
    ) {
        var model = JitterBufferModel()
        #expect(depths(&model, delays) == expected)
        #expect(isNear(model.stretched, stretched))
    }

    /// More delay may cost less in the end: what is late early keeps the buffer deep for what is late after it.
    @Test func `a delay that costs nothing may spare another one its stall`() {
        var model = JitterBufferModel()
        _ = depths(&model, [300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300])
        #expect(isNear(model.stalled, 220 + 265))
        model = JitterBufferModel()
        // The fourth half second weighs 8, the first 2 of 132 after the eleventh: together more than 5 %.
        _ = depths(&model, [300, 0, 0, 300, 0, 0, 0, 0, 0, 0, 0, 300])
        #expect(isNear(model.stalled, 220))
        #expect(model.stretched == 0)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `each half second stalls by what its worst packet lacks, whatever the order`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var model = JitterBufferModel()
        var highest: Float = 0
        var moved: Float = 0
        for interval in 0..<200 {
            let scale = [0.01, 0.1, 0.3, 0.6, 3][Int.random(in: 0..<5, using: &random)] as Float
            let delays = (0..<25).map { _ in Float.random(in: 0...scale, using: &random) }
            let before = model
            var late = 0
            for delay in delays {
                let depth = model.depth
                let isInTime = model.take(delay: delay)
                #expect(isInTime == (delay <= depth))
                late += isInTime ? 0 : 1
            }
            let worst = min(1, delays.max() ?? 0)
            highest = max(highest, worst)
            #expect(isNear(model.stalled - before.stalled, Double(max(0, worst - before.depth)) * 1000))
            #expect(model.lateAdaptive - before.lateAdaptive == late)

            let depth = model.depth
            model.endInterval()
            #expect((0.035...1).contains(model.depth))
            #expect(abs(model.depth - depth) <= 0.0501)
            moved += interval == 0 ? 0 : abs(model.depth - depth)
        }
        #expect(abs(model.stretched - moved) < 1e-3)
        // A deeper buffer was either waited for or stretched into.
        #expect(model.stalled + model.stretched >= highest - 0.080 - 1e-3)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `within half a second more delay never lowers the stall`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var delays = (0..<25).map { _ in Float.random(in: 0...0.2, using: &random) }
        var model = JitterBufferModel()
        delays.forEach { _ = model.take(delay: $0) }
        for _ in 0..<100 {
            delays[Int.random(in: 0..<25, using: &random)] += Float.random(in: 0...0.05, using: &random)
            var other = JitterBufferModel()
            delays.forEach { _ = other.take(delay: $0) }
            #expect(other.stalled >= model.stalled - 1e-6)
            model = other
        }
    }
}
