import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// The reader against Foundation's and against cuts, on what real clients printed.
@Suite(SharedData.required) struct JSONRecordingTests {
    private static let recordings = [
        "01-clean/A", "40-chromium-firefox-clean/B", "50-chromium87-loss5/A", "51-chromium90-loss5/B",
        "60-chromium-aiortc-loss5/B", "62-chromium-libwebrtc-loss5/B",
    ]

    @Test(arguments: recordings) func `agrees with Foundation`(name: String) throws {
        for line in try SharedData.lines("calls/\(name).getRTPStatistics-10s.jsonl") {
            let ours = try JSONValue(parsing: line)
            let theirs = try JSONDecoder().decode(FoundationValue.self, from: Data(line))
            #expect(ours.withLargeNumbersAsDoubles == theirs.value.withLargeNumbersAsDoubles)
        }
    }

    @Test(arguments: recordings) func `every cut of a report is refused without a trap`(name: String) async throws {
        let line = try #require(try SharedData.lines("calls/\(name).getRTPStatistics-10s.jsonl").first)
        for length in stride(from: 0, to: line.count, by: line.count < 1000 ? 1 : 11) {
            // Tests that wait for something need a thread, too.
            await Task.yield()
            let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: line, in: 0..<length) }
            #expect(error?.offset ?? .max <= length)
        }
    }
}
