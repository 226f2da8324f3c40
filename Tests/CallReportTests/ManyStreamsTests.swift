import CallModel
import Testing

@testable import CallReport

/// A call with more streams than anybody reads.
@Suite struct ManyStreamsTests {
    /// Streams with the scores 7, 14, … modulo 101, which are all different.
    private static func context(of count: Int) -> ReportContext {
        var summary = Records.summary(lasting: 60_000)
        summary.streams = (1...count).map { number in
            var stream = Records.stream(.inbound, .audio, "\(1000 + number)")
            (stream.packets, stream.packetsLost, stream.score) = (3_000, 0, number * 7 % 101)
            return stream
        }
        return ReportContext(record: Records.record(summary), now: Records.nowLongAfter, columns: 80)
    }

    private static func sources(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("  ssrc ") }.flatMap { $0.split(separator: " ").dropFirst().map(String.init) }
    }

    private static func lines(of context: ReportContext) -> [String] {
        StreamSection(context: context).lines.map { $0.rendered(isColoured: false) }
    }

    @Test func `twelve streams are shown in their order`() {
        let lines = Self.lines(of: Self.context(of: 12))
        #expect(Self.sources(lines) == (1...12).map { "\(1000 + $0)" })
        #expect(!lines.contains { $0.contains("more stream") })
    }

    @Test func `of more streams the worst twelve are shown, worst first, and how many there are more`() {
        let context = Self.context(of: 60)
        let lines = Self.lines(of: context)
        let worst = context.streams.sorted { ($0.score ?? 0) < ($1.score ?? 0) }.prefix(12)
        #expect(Self.sources(lines) == worst.map(\.stream.source))
        #expect(lines.contains("  … 48 more streams, in the JSON report"))
    }

    @Test func `of many streams without packets so many are named`() {
        var context = Self.context(of: 1)
        var summary = context.summary
        summary.streams += (1...20).map { number in
            var stream = Records.stream(.outbound, .video, "\(2000 + number)")
            stream.packets = 0
            return stream
        }
        context = ReportContext(record: Records.record(summary), now: context.now, columns: 80)
        #expect(
            Self.lines(of: context).suffix(13)
                == (1...12).map { "  out video, ssrc \(2000 + $0): no packets" }[...] + [
                    "  … 8 more streams, in the JSON report"
                ])
    }
}
