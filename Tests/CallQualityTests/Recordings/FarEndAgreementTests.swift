import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What an end makes, by RTCP, of how the far end heard it must be what the far end says it heard.
@Suite struct FarEndAgreementTests {
    /// Points between the two scores of the sound that goes from one end to the other, by direction.
    private static func differences(_ folder: URL) throws -> [RecordedCall.End: Int] {
        let records = try RecordedCall.End.allCases.map { try #require(try RecordedCall(folder, end: $0).record()) }
        func score(_ record: CallRecord, _ direction: MediaDirection) throws -> Int {
            let sound = record.summary.streams.first { $0.stream.direction == direction && $0.stream.kind == .audio }
            return try #require(sound?.score)
        }
        var differences: [RecordedCall.End: Int] = [:]
        for (index, end) in RecordedCall.End.allCases.enumerated() {
            differences[end] = try score(records[index], .outbound) - score(records[1 - index], .inbound)
        }
        return differences
    }

    @Test(
        SharedData.required,
        arguments: [
            "02-loss1", "03-loss5", "14-staircase", "16-h264", "19-pcma-loss5", "21-opus-loss15", "51-chromium90-loss5",
            "62-chromium-libwebrtc-loss5",
        ])
    func `sound that is lost at random scores within 8 points of what was heard`(name: String) throws {
        let differences = try Self.differences(SharedData.url("calls/\(name)"))
        for (end, difference) in differences { #expect(abs(difference) <= 8, "\(end): \(difference)") }
    }

    @Test(arguments: ["85-pcmu-loss5", "86-opus-loss15", "87-opus-loss30", "88-firefox-loss5"])
    func `so it does in recordings of other browsers and days`(name: String) throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/agreement/\(name)")
        for (end, difference) in try Self.differences(folder) { #expect(abs(difference) <= 8, "\(end): \(difference)") }
    }
}
