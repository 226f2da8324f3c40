import CallModel
import CallReport
import Foundation
import TestSupport
import Testing

/// The calls in `SampleData/constructed`: real statistics under the events of SDKs that cannot run here.
@Suite struct ConstructedCallTests {
    @Test(arguments: ConstructedEnd.all) func `the report reads as it did`(end: ConstructedEnd) throws {
        let record = try end.record()
        let now = record.summary.lastReceivedAt.advanced(byMilliseconds: 3_600_000)
        try Golden.expect(
            TextReport(record, at: now).render(),
            matchesSample: "constructed/\(end.sdk)/report.\(end.letter.rawValue).txt")
    }

    /// Nothing of what an SDK tells changes what its statistics say, but for the time that nobody could hear.
    @Test(arguments: ConstructedEnd.all) func `the streams are those of the recording`(end: ConstructedEnd) throws {
        let recorded = try #require(
            try RecordedCall(SharedData.packageRoot.appending(path: "SampleData/\(end.base)"), end: end.letter).record()
        )
        func figures(_ record: CallRecord) -> [String] {
            record.summary.streams.map {
                "\($0.stream.kind) \($0.stream.direction) \($0.stream.source) \($0.packets ?? -1) \($0.packetsLost ?? -1)"
            }
        }
        #expect(try figures(end.record()) == figures(recorded))
    }

    private static let ends: [(String, CallOutcome, CallEndCause?, [String])] = [
        ("kandy", .connected, .localHangup, ["microphoneMuted", "cameraOff", "heldLocally"]),
        ("cisco", .connected, .hangup, ["signallingLost"]), ("sendbird", .connected, .remoteHangup, ["farEndVideoOff"]),
        ("liblinphone", .connected, .hangup, []), ("fcsdk", .connected, .hangup, ["interrupted"]),
    ]

    @Test(arguments: ends) func `what was told of a call is in its summary`(
        sdk: String, outcome: CallOutcome, cause: CallEndCause?, lanes: [String]
    ) throws {
        let summary = try ConstructedEnd.of(sdk).record().summary
        #expect(summary.outcome == outcome)
        #expect(summary.course.endCause == cause)
        #expect(summary.course.lanes.map(\.kind.rawValue) == lanes)
        #expect(summary.dataQuality.unknownEvents == [])
    }

    @Test func `a hold by the client's events is as long as it was, and takes no points`() throws {
        let held = try ConstructedEnd.of("kandy").record().summary
        #expect(abs(held.heldSeconds - 9.95) < 0.6)
        #expect(held.outages == [])
    }

    @Test func `the client's own quality stands beside the score`() throws {
        let summary = try ConstructedEnd.of("cisco").record().summary
        let quality = try #require(summary.course.reportedQuality)
        #expect(quality.minimum == 12)
        #expect(quality.changes == 5)
        #expect(abs(quality.secondsBelow60 - 5) < 0.001)
        #expect(quality.meanDifference != nil)
    }

    @Test func `liblinphone's change of network is one, and its rating is out of 100`() throws {
        let course = try ConstructedEnd.of("liblinphone").record().summary.course
        #expect(course.handovers == 1)
        #expect(course.reportedQuality?.minimum == 22)
        #expect(course.problems.map(\.kind) == [.codecMissing])
    }

    @Test func `the streams that FCSDK names are found`() throws {
        let record = try ConstructedEnd.of("fcsdk").record()
        let sources = Set(record.summary.streams.map(\.stream.source))
        #expect(record.summary.course.namedSources.count == 2)
        #expect(record.summary.course.namedSources.allSatisfy { sources.contains("\($0)") })
    }
}

/// One end of a constructed call.
struct ConstructedEnd: Hashable, Sendable, CustomTestStringConvertible {
    var sdk: String
    /// The recording whose statistics it has.
    var base: String
    var letter: RecordedCall.End

    static let all = [
        ConstructedEnd(sdk: "kandy", base: "29-mute-hold", letter: .caller),
        ConstructedEnd(sdk: "cisco", base: "10-outage5s", letter: .callee),
        ConstructedEnd(sdk: "sendbird", base: "03-loss5", letter: .caller),
        ConstructedEnd(sdk: "sendbird", base: "03-loss5", letter: .callee),
        ConstructedEnd(sdk: "liblinphone", base: "30-ip-change", letter: .caller),
        ConstructedEnd(sdk: "fcsdk", base: "12-burst5", letter: .callee),
    ]

    var testDescription: String { "\(sdk) \(letter)" }

    /// The first end of an SDK's call.
    static func of(_ sdk: String) throws -> ConstructedEnd {
        try #require(all.first { $0.sdk == sdk })
    }

    func record() throws -> CallRecord {
        let folder = SharedData.packageRoot.appending(path: "SampleData/constructed/\(sdk)")
        return try #require(try RecordedCall(folder, end: letter).record())
    }
}
