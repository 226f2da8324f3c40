import CallModel
import ClientStats
import Foundation
import TestSupport
import Testing

/// Whose events are that do not say so.
struct UnclaimedEventTests {
    private static func event(_ type: String, second: Int, call: String = "one") -> String {
        let time = ImportSamples.start + Int64(1_000 * second)
        return #"{"action":"callMetric","type":"\#(type)","callId":"\#(call)","time":\#(time)}"#
    }

    private static func report(_ role: String?, second: Int, call: String = "one") -> String {
        let time = ImportSamples.start + Int64(1_000 * second)
        let whose = role.map { #""role":"\#($0)","# } ?? ""
        let statistics = #"[{"id":"T","type":"transport","bytesSent":1}]"#
        return #"{"callId":"\#(call)",\#(whose)"time":\#(time),"statistics":\#(statistics)}"#
    }

    /// The events of each observer of the calls, in the order of their times.
    private static func events(_ lines: [String], observer: String? = nil) throws -> [String: [String]] {
        let file = try ImportedFile(lines.joined(separator: "\n"), observer: observer)
        var events: [String: [String]] = [:]
        for (key, facts) in file.facts {
            let types = facts.compactMap { if case .event(let event) = $0 { event.type } else { nil } }
            let name = key.identity.call.rawValue == "one" ? "" : "\(key.identity.call.rawValue) "
            if !types.isEmpty { events[name + key.observer.rawValue] = types }
        }
        return events
    }

    private static let setup = [event("callCreate", second: 0), event("callAnswerReceived", second: 1)]
    private static let caller = [report("caller", second: 2), report("caller", second: 12)]

    @Test func `they are of the end that reports, before, between and behind its reports`() throws {
        let types = ["callCreate", "callAnswerReceived"]
        #expect(try Self.events(Self.setup + Self.caller) == ["caller": types])
        #expect(try Self.events(Self.caller + Self.setup) == ["caller": types])
        #expect(try Self.events([Self.setup[0], Self.caller[0], Self.setup[1], Self.caller[1]]) == ["caller": types])
    }

    @Test func `of several ends they are of the one whose report comes next`() throws {
        let callee = [Self.event("iceConnected", second: 1), Self.report("callee", second: 3)]
        let events = try Self.events(Self.setup + Self.caller + callee + [Self.event("iceNormal", second: 20)])
        #expect(events == ["caller": ["callCreate", "callAnswerReceived"], "callee": ["iceConnected", "iceNormal"]])
    }

    @Test func `where the reports of several alternate they are of a client, as where none says whose it is`() throws {
        let both = [("caller", 0), ("callee", 1), ("caller", 2)].map { Self.report($0, second: $1) }
        #expect(try Self.events(both + Self.setup) == ["client": ["callCreate", "callAnswerReceived"]])
        #expect(try Self.events(Self.setup + [Self.report(nil, second: 2)]).keys.sorted() == ["client"])
        #expect(try Self.events(Self.setup).keys.sorted() == ["client"])
    }

    @Test func `they are of their own call, and of whom the reader names`() throws {
        let others = [Self.event("callCreate", second: 0, call: "two"), Self.report("callee", second: 5, call: "two")]
        let lines = [others[0], Self.setup[0], Self.caller[0], others[1]]
        #expect(try Self.events(lines) == ["caller": ["callCreate"], "two callee": ["callCreate"]])
        let named = try Self.events(Self.setup + Self.caller, observer: "me")
        #expect(named == ["me": ["callCreate", "callAnswerReceived"]])
    }

    @Test func `many without any report wait no longer, and none is lost`() throws {
        let many = (0..<10_001).map { Self.event("step\($0)", second: $0) }
        let counts = try Self.events(many + [Self.report("caller", second: 20_000)]).mapValues(\.count)
        #expect(counts == ["client": 10_000, "caller": 1])
    }

    @Test(arguments: RecordedCall.End.allCases)
    func `what Kandy's clients write, in one file, is one record`(_ end: RecordedCall.End) throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/01-clean")
        let parts = try ["callAdditionalInfo", "getRTPStatistics-10s"].map {
            try String(contentsOf: folder.appending(path: "\(end.rawValue).\($0).jsonl"), encoding: .utf8)
        }
        let file = try ImportedFile(parts.joined(separator: "\n"))
        #expect(file.facts.keys.map(\.observer.rawValue) == [end == .caller ? "caller" : "callee"])
        #expect(!file.events.isEmpty && !file.reports.isEmpty)
    }
}
