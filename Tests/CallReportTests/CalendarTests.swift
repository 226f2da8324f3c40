import CallModel
import CallReport
import Foundation
import TestSupport
import Testing

@Suite struct CalendarTests {
    /// Since 1589, for Foundation counts days before October 1582 by the Julian calendar.
    @Test func `moments read as Foundation reads them`() throws {
        var random = RandomSource(seed: 7)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2000 {
            let milliseconds = Int64.random(in: -12_000_000_000_000...253_402_300_799_999, using: &random)
            let text = Timestamp(milliseconds: milliseconds).iso8601
            let read = try Date(text, strategy: style).timeIntervalSince1970 * 1000
            #expect(Int64(read.rounded()) == milliseconds, "\(text)")
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"), (-62_198_755_200_000, "-0001-01-01T00:00:00.000Z"),
            (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func `leap days and far years are right`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    }
}
