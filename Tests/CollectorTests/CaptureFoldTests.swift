import CallModel
import CallQuality
import Collector
import Foundation
import TestSupport
import Testing

/// The fold over a capture's facts, which lie in a temporary file while their calls go on.
@Suite struct CaptureFoldTests {
    private static let observers = ["wire:caller", "wire:callee"].map { ObserverID(rawValue: $0) }

    private struct Told {
        var call: CallID
        var observer: ObserverID
        var fact: Fact
    }

    /// Facts of several calls at once, both ends of each.
    private static func told(_ names: [String]) -> [Told] {
        WireCall.facts.flatMap { fact in
            names.flatMap { name in
                observers.map { Told(call: CallID(rawValue: name), observer: $0, fact: fact) }
            }
        }
    }

    /// The records as a fold over facts makes them that were never written anywhere.
    private static func expected(_ name: String) -> [CallRecord] {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: name))
        var records = observers.compactMap { observer -> CallRecord? in
            var session = CallSession(key: CallKey(identity: identity, observer: observer, attempt: 1))
            let rows = session.fold(WireCall.facts)
            let events = WireCall.facts.compactMap { fact -> CallEvent? in
                if case .event(let event) = fact { event } else { nil }
            }
            return session.summary().map { summary in
                CallRecord(
                    summary: summary, isDirty: false, intervals: rows.intervals,
                    scores: rows.scores.filter { $0.series == .live },
                    windows: rows.scores.filter { $0.series == .window }, events: events, others: [])
            }
        }
        records.sort { CallSummary.areInReportOrder($0.summary, $1.summary) }
        for index in records.indices { records[index].others = [records[1 - index].summary] }
        return records
    }

    /// Runs `body` with an empty folder, which is removed afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `a call that begins again after it was let go of is its next attempt, as in a collector`() throws {
        try withFolder { folder in
            var fold = CaptureFold(hasClients: false, folder: folder.path)
            for attempt in 1...3 {
                for told in Self.told(["one"]) {
                    try fold.take(told.fact, call: told.call, observer: told.observer)
                }
                let keys = try fold.summaries(of: CallID(rawValue: "one")).map(\.key.attempt)
                #expect(keys == [attempt, attempt])
                fold.forget(CallID(rawValue: "one"))
            }
        }
    }

    private static func moved(_ fact: Fact, by milliseconds: Int64) -> Fact {
        switch fact {
        case .event(var event):
            event.time = event.time.advanced(byMilliseconds: milliseconds)
            event.receivedAt = event.receivedAt.advanced(byMilliseconds: milliseconds)
            return .event(event)
        case .wire(var report):
            report.time = report.time.advanced(byMilliseconds: milliseconds)
            report.receivedAt = report.receivedAt.advanced(byMilliseconds: milliseconds)
            return .wire(report)
        case .report: return fact
        }
    }

    @Test func `a call that begins again after it has ended is its next attempt, as in a collector`() throws {
        let call = CallID(rawValue: "one")
        var fold = CaptureFold(hasClients: true)
        for milliseconds in [0, 120_000, 240_000] as [Int64] {
            for told in Self.told(["one"]) {
                try fold.take(Self.moved(told.fact, by: milliseconds), call: call, observer: told.observer)
            }
        }
        let records = try fold.records(of: call)
        #expect(records.map(\.summary.key.attempt) == [1, 1, 2, 2, 3, 3])
        #expect(records.prefix(2) == Self.expected("one")[...])
        #expect(records.map { $0.others.map(\.key.attempt) } == [[1], [1], [2], [2], [3], [3]])
        let summaries = try fold.summaries(of: call)
        #expect(summaries == records.map(\.summary))
        #expect(fold.openAttempts == 3)
        fold.forget(call)
        for told in Self.told(["one"]) {
            try fold.take(Self.moved(told.fact, by: 360_000), call: call, observer: told.observer)
        }
        let next = try fold.summaries(of: call).map(\.key.attempt)
        #expect(next == [4, 4])
    }

    /// From "every fact goes to the file at once" to "none does".
    @Test(arguments: [0, 1, 700, 5_000, 1 << 20], [false, true])
    func `interleaved calls are folded as if each had been alone in memory`(
        bufferBytes: Int, hasClients: Bool
    ) throws {
        let names = ["one", "", String(repeating: "é", count: 300)]
        try withFolder { folder in
            var fold = CaptureFold(hasClients: hasClients, folder: folder.path, bufferBytes: bufferBytes)
            for told in Self.told(names) { try fold.take(told.fact, call: told.call, observer: told.observer) }
            let open = fold.open
            #expect(open == names.sorted().map { CallID(rawValue: $0) })
            for name in names {
                let call = CallID(rawValue: name)
                let records = try fold.records(of: call)
                #expect(records == Self.expected(name))
                let summaries = try fold.summaries(of: call)
                #expect(summaries == records.map(\.summary))
                fold.forget(call)
                let rest = try fold.records(of: call)
                #expect(rest.isEmpty)
            }
            #expect(fold.open.isEmpty)
        }
    }

    @Test(arguments: 0..<20)
    func `the order in which facts come makes no difference`(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        try withFolder { folder in
            var fold = CaptureFold(hasClients: true, folder: folder.path, bufferBytes: 2_000)
            for told in Self.told(["a", "b"]).shuffled(using: &random) {
                try fold.take(told.fact, call: told.call, observer: told.observer)
            }
            let records = try fold.records(of: CallID(rawValue: "b"))
            #expect(records == Self.expected("b"))
        }
    }

    @Test func `calls that come and go in rounds are folded as if there had been one`() throws {
        try withFolder { folder in
            var fold = CaptureFold(hasClients: true, folder: folder.path, bufferBytes: 1_000)
            for round in 0..<5 {
                let names = ["left \(round)", "right \(round)"]
                for told in Self.told(names) { try fold.take(told.fact, call: told.call, observer: told.observer) }
                for name in names {
                    let records = try fold.records(of: CallID(rawValue: name))
                    #expect(records == Self.expected(name))
                    fold.forget(CallID(rawValue: name))
                }
            }
        }
    }

    @Test func `the temporary file has no name`() throws {
        try withFolder { folder in
            var fold = CaptureFold(hasClients: true, folder: folder.path, bufferBytes: 0)
            for told in Self.told(["a"]) { try fold.take(told.fact, call: told.call, observer: told.observer) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let records = try fold.records(of: CallID(rawValue: "a"))
            #expect(records.count == 2)
        }
    }

    @Test func `what fits into memory needs no folder`() throws {
        var fold = CaptureFold(hasClients: true, folder: "/nowhere at all", bufferBytes: 1 << 20)
        for told in Self.told(["a"]) { try fold.take(told.fact, call: told.call, observer: told.observer) }
        let records = try fold.records(of: CallID(rawValue: "a"))
        #expect(records == Self.expected("a"))
    }

    @Test func `a folder that takes no file is named`() {
        var fold = CaptureFold(hasClients: true, folder: "/nowhere at all", bufferBytes: 0)
        var failure: FactSpoolError?
        do {
            for told in Self.told(["a"]) { try fold.take(told.fact, call: told.call, observer: told.observer) }
        } catch {
            failure = error
        }
        #expect(failure == .cannotCreate(folder: "/nowhere at all", reason: "No such file or directory"))
        #expect(
            failure?.description
                == "cannot make a temporary file in /nowhere at all for the calls that still go on: "
                + "No such file or directory; TMPDIR names another directory")
    }

    @Test func `every failure names its folder and its cause`() {
        let folder = "/var/tmp"
        #expect(
            [
                FactSpoolError.cannotWrite(folder: folder, reason: "No space left on device"),
                .cannotRead(folder: folder, reason: "it ends too early"),
            ].map(\.description) == [
                "cannot write the calls that still go on to a temporary file in /var/tmp: No space left on device; "
                    + "TMPDIR names another directory",
                "cannot read the calls that went on from a temporary file in /var/tmp: it ends too early",
            ])
    }
}
