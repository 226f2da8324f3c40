import CallModel
import ClientStats
import TestSupport
import Testing

/// Under which id reports of a file stand that name a session, and what they tell of it.
struct FileSessionTests {
    /// Whose a report is, and which sessions its message names.
    private struct Told: Equatable {
        var call: String
        var sessions: [String] = []
    }

    private func told(_ text: String, call: String? = nil) throws -> [Told] {
        let context = ParsingContext(call: call.map(CallID.init), receivedAt: received)
        var reader = try ImportReader(Array(text.utf8), in: context)
        var told: [Told] = []
        while let part = reader.next() {
            #expect(part.refusals == [])
            for submission in part.submissions {
                for item in submission.facts where item.fact.isReport {
                    let sessions = item.names.filter { $0.kind == .session }.map(\.text)
                    told.append(Told(call: submission.identity.call.rawValue, sessions: sessions))
                }
            }
        }
        return told
    }

    private static let report = ImportSamples.report(second: 0, received: 50)

    @Test(arguments: [
        #"{"callId":"one","sessionId":"s","statistics":\#(report)}"#,
        #"{"action":"rtpStatistics","type":"x","callId":"one","sessionId":"s","time":1767225600000,"statistics":\#(report)}"#,
        #"[["one",[{"sessionId":"s","statistics":\#(report)}]]]"#,
    ])
    func `a report that names a call and a session ties them`(text: String) throws {
        #expect(try told(text) == [Told(call: "one", sessions: ["s"])])
    }

    @Test func `a report that names a session alone stands under its id, also after another call`() throws {
        let alone = #"{"sessionId":"s","statistics":\#(Self.report)}"#
        let event = #"{"action":"callMetric","type":"callCreate","callId":"one","time":1767225599000}"#
        #expect(try told(alone) == [Told(call: "s", sessions: ["s"])])
        #expect(try told("\(event)\n\(alone)\n\(Self.report)") == [Told(call: "s", sessions: ["s"]), Told(call: "s")])
    }

    @Test func `it is of the call that who reads the file names`() throws {
        let alone = #"{"sessionId":"s","statistics":\#(Self.report)}"#
        #expect(try told(alone, call: "one") == [Told(call: "one", sessions: ["s"])])
    }

    // MARK: More than one document

    @Test(arguments: [ImportSamples.callStatisticsLog, ImportSamples.internals, ImportSamples.clientFile])
    func `what follows a file of one document is told, for it is not read`(text: String) throws {
        let alone = try ImportedFile(text + ",\n")
        #expect(alone.refusals == [])
        let event = #"{"action":"callMetric","type":"callCreate","callId":"one","time":1767225599000}"#
        let followed = try ImportedFile("\(text)\n\n\(event)\n")
        #expect(followed.facts == alone.facts)
        let line = 3 + text.count { $0 == "\n" }
        #expect(followed.refusals.map(\.reason) == [.unrecognised])
        #expect(
            followed.refusals.map(\.message)
                == ["line \(line): what follows \(alone.format) is not read; give it in a file of its own"])
    }
}
