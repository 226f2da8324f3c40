import CallModel
import CallReport
import Foundation
import TestSupport
import Testing

/// The calls of `SampleData` in which somebody was silent: their reports read as they did. What the figures must be is in
/// `SilenceAcceptanceTests`.
@Suite struct SilenceSampleTests {
    private static let names = [
        "70-opus-dtx", "71-opus-dtx-outage", "72-opus-dtx-loss5", "73-pcmu-cn", "74-pcmu-cn-outage", "75-stream-pause",
        "76-stream-pause-jump", "77-gaps-42-60", "78-oneway-loss10", "79-mute", "80-mute-dtx", "81-jitter60-loss2",
        "82-bufferbloat", "83-opus-pauses", "84-opus-pauses-outage",
    ]

    @Test(arguments: names, RecordedCall.End.allCases) func `the report reads as it did`(
        _ name: String, _ letter: RecordedCall.End
    ) throws {
        let record = try #require(try SampleEnd(call: SampleCall(name: name), end: letter).record())
        let now = record.summary.lastReceivedAt.advanced(byMilliseconds: 3_600_000)
        try Golden.expect(
            TextReport(record, at: now).render(), matchesSample: "\(name)/report.\(letter.rawValue).txt")
    }
}
