import CallModel
import Testing

@testable import CallReport

@Suite struct WordingTests {
    @Test(
        arguments: [
            (nil, "–"), (.nan, "–"), (.infinity, "–"), (0, "0"), (0.004, "<0.01"), (0.25, "0.25"), (0.996, "1.0"),
            (8.06, "8.1"), (34, "34.0"), (99.96, "100"), (612.4, "612"), (2584, "2580"), (999_500, "1000000"),
            (-35.25, "-35.3"), (-0.001, ">-0.01"),
        ] as [(Double?, String)])
    func `measured figures have at most three digits that mean something`(value: Double?, text: String) {
        #expect(Figures.number(value) == text)
    }

    @Test(
        arguments: [
            (nil, "–"), (0, "0.0 s"), (5.04, "5.0 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"), (75, "1 min 15 s"),
            (3599.6, "1 h 00 min"), (10_920, "3 h 02 min"),
        ] as [(Double?, String)])
    func `lengths of time read as people say them`(seconds: Double?, text: String) {
        #expect(Words.duration(seconds: seconds) == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("\u{1b}[31m", "\\u{1b}[31m"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{202e}x", "\\u{202e}x"),
        ("日本", "日本"), ("é", "é"), ("\u{e000}", "\\u{e000}"),
    ]) func `only what steers a terminal is escaped`(text: String, printable: String) {
        #expect(text.printable == printable)
    }

    @Test func `a long id keeps both ends when cut in the middle`() {
        #expect("0123456789".cutInMiddle(to: 10) == "0123456789")
        #expect("0123456789".cutInMiddle(to: 7) == "012…789")
        #expect("日本語の接続".cutInMiddle(to: 7) == "日…続")
        #expect("日本語".columnWidth == 6)
    }

    @Test func `costs are rounded so that they add up`() {
        var summary = Records.summary(lasting: 1000)
        summary.costs = [.loss: 0.14, .burst: 0.14, .late: 0.14, .delay: .nan, .freeze: -3, .stretch: 0.01]
        let shares = CostShares(summary)
        #expect(shares.totalTenths == 4)
        #expect(
            shares.rows == [
                .init(cause: .burst, tenths: 2), .init(cause: .late, tenths: 1), .init(cause: .loss, tenths: 1),
            ])
    }

    @Test(arguments: [(79, 78, 2), (78, 78, 1), (1080, 78, 14), (0, 78, 1)])
    func `a ribbon shows the worst of each group`(intervals: Int64, width: Int, group: Int) {
        let scores = (0..<intervals).map { Records.score($0, $0 == 7 ? 3 : 95) }
        let ribbon = Ribbon(scores, width: width)
        #expect(ribbon.groupSize == group)
        #expect(ribbon.steps.count <= width)
        #expect(ribbon.steps.filter { $0.cell == .score(3) }.count == (intervals > 0 ? 1 : 0))
        #expect(ribbon.steps.first?.start == (intervals > 0 ? Records.start : nil))
    }
}
