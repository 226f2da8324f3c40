import TestSupport
import Testing

@testable import Collector

@Suite struct FairShareTests {
    @Test func `one alone gets three quarters, two three sevenths each, and a newcomer always finds room`() {
        var share = FairShare<String>(limit: 700)
        func fill(_ holder: String) -> Int {
            var count = 0
            while share.hasRoom(for: 1, of: holder) {
                share.take(1, of: holder)
                count += 1
            }
            return count
        }
        #expect((520...530).contains(fill("a")))
        #expect(share.hasRoom(for: 1, of: "b"))
        let second = fill("b")
        #expect(second > 100 && share.total <= 700)
        #expect(share.hasRoom(for: 1, of: "c"))
    }

    @Test func `whatever is taken and given, the limit holds and nothing is lost`() {
        for seed in 0..<200 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            var share = FairShare<Int>(limit: 1_000)
            var held: [(holder: Int, amount: Int)] = []
            for _ in 0..<200 {
                if !held.isEmpty, Int.random(in: 0..<3, using: &source) == 0 {
                    let index = Int.random(in: held.indices, using: &source)
                    let one = held.remove(at: index)
                    share.give(one.amount, of: one.holder)
                } else {
                    let one = (Int.random(in: 0..<4, using: &source), Int.random(in: 0...300, using: &source))
                    guard share.hasRoom(for: one.1, of: one.0) else { continue }
                    share.take(one.1, of: one.0)
                    held.append(one)
                }
                #expect(share.total == held.reduce(0) { $0 + $1.amount } && share.total <= 1_000)
            }
            for one in held { share.give(one.amount, of: one.holder) }
            #expect(share.total == 0 && share.hasRoom(for: 1_000, of: 9))
        }
    }
}

@Suite struct WaitingLineTests {
    @Test func `tenants take turns, and each keeps its own order`() {
        var line = WaitingLine<String, Int>()
        for number in 0..<4 { line.append(number, of: "flood") }
        line.append(10, of: "b")
        line.append(11, of: "b")
        line.append(20, of: "c")
        var order: [Int] = []
        while let next = line.next() { order.append(next.item) }
        #expect(order == [0, 10, 20, 1, 11, 2, 3])
        #expect(line.isEmpty)
        line.append(5, of: "b")
        let last = line.next()
        #expect(last?.holder == "b" && last?.item == 5)
    }

    @Test func `in any order of coming and going nothing is lost or doubled`() {
        for seed in 0..<200 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            var line = WaitingLine<Int, Int>()
            var taken: [Int: [Int]] = [:]
            for number in 0..<100 {
                line.append(number, of: Int.random(in: 0..<5, using: &source))
                guard Bool.random(using: &source), let next = line.next() else { continue }
                taken[next.holder, default: []].append(next.item)
            }
            while let next = line.next() { taken[next.holder, default: []].append(next.item) }
            #expect(taken.values.allSatisfy { $0 == $0.sorted() })
            #expect(taken.values.joined().sorted() == Array(0..<100))
        }
    }
}
