import RTPMeter
import TestSupport
import Testing

/// How many numbers two meters of one source have both received, as two places on its way do.
@Suite struct NumbersInCommonTests {
    @Test(arguments: [
        (0..<200, 0..<200, 200), (0..<200, 150..<300, 50), (0..<200, 200..<300, 0), (0..<200, 90..<95, 5),
    ])
    func `without a loss it is what both ranges have`(one: Range<Int>, other: Range<Int>, common: Int) {
        for first in [0, 1000, 65_400] {
            let meters = [one, other].map { RTPStreamMeter(steady($0, first: first)) }
            #expect(meters[0].numbersInCommon(with: meters[1]) == common)
            #expect(meters[1].numbersInCommon(with: meters[0]) == common)
            #expect(meters[0].numbersAhead(of: meters[1]) == one.upperBound - other.upperBound)
            #expect(meters[1].numbersAhead(of: meters[0]) == other.upperBound - one.upperBound)
        }
    }

    @Test func `it is never more than there are`() {
        var random = RandomSource(seed: 7)
        for _ in 0..<300 {
            let first = Int.random(in: 0..<65_536, using: &random)
            let loss = Double.random(in: 0..<0.6, using: &random)
            let sets = (0..<2).map { _ in
                let start = Int.random(in: 0..<300, using: &random)
                return (start..<start + Int.random(in: 1..<600, using: &random)).filter { _ in
                    Double.random(in: 0..<1, using: &random) >= loss
                }
            }
            let meters = sets.map { RTPStreamMeter(steady($0, first: first)) }
            let common = Set(sets[0]).intersection(sets[1]).count
            #expect(meters[0].numbersInCommon(with: meters[1]) <= common)
        }
    }

    @Test func `a meter without packets, or whose numbers began anew, has none`() {
        let known = RTPStreamMeter(steady(0..<200))
        var restarted = known
        for packet in steady(200..<300, first: 31_000) { restarted.take(packet) }
        #expect(known.numbersInCommon(with: RTPStreamMeter()) == 0)
        #expect(known.numbersInCommon(with: restarted) == 0)
        #expect(restarted.numbersInCommon(with: known) == 0)
    }
}
