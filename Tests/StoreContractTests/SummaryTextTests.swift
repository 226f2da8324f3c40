import CallModel
import CallQuality
import Foundation
import StoreParts
import TestSupport
import Testing

/// The text of a summary is written member by member. It is the one that `Codable` would write, so that it can be read.
@Suite struct SummaryTextTests {
    private static let calls: [RecordedCall] = {
        let folder = SharedData.packageRoot.appending(path: "SampleData")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
        return names.flatMap { name in
            RecordedCall.End.allCases.map { RecordedCall(folder.appending(path: name), end: $0) }
        }.filter { (try? $0.reportBodies().isEmpty) == false }
    }()

    @Test func `of recorded calls it is what Codable writes`() throws {
        #expect(Self.calls.count > 30)
        for call in Self.calls {
            var session = CallSession(key: call.key)
            for fact in try call.facts() {
                _ = session.fold([fact])
                let summary = try #require(session.summary())
                #expect(try Array(StoredJSON.text(of: summary).utf8) == JSONStreamEncoder.encode(summary))
            }
        }
    }

    @Test func `of any values it is what Codable writes`() throws {
        for seed in 0..<UInt64(100) {
            let decoder = RandomDecoder(seed: seed)
            let summary = try decoder.value(CallSummary.self)
            try expectAsCodable(StoredJSON.text(of: summary), JSONStreamEncoder.encode(summary), "seed \(seed)")
            let rating = try decoder.value(TransmissionRating.self)
            try expectAsCodable(StoredJSON.text(of: rating), JSONStreamEncoder.encode(rating), "seed \(seed)")
        }
    }

    /// The figures of a probe are made into a dictionary each time, whose order is another one each time.
    private func expectAsCodable(_ text: String, _ expected: [UInt8], _ comment: Comment) throws {
        #expect(text.utf8.count == expected.count, comment)
        #expect(try StoredJSON.value(of: text) == StoredJSON.value(ofBytes: expected), comment)
    }
}
