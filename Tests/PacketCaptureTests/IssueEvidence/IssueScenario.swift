import CallModel
import CallQuality
import Foundation
import TestSupport

/// One recording and everything that was observed of it.
struct IssueScenario {
    /// Who looked, and how often.
    enum Source: String, CaseIterable {
        case everySecond = "client 1 s"
        case everyTenSeconds = "client 10 s"
        case wire = "wire"

        /// How exact spans are: one report, and the time a detector takes.
        var toleranceSeconds: Double {
            switch self {
            case .everySecond: 4
            case .everyTenSeconds: 12
            case .wire: 7
            }
        }
    }

    /// What one observer found.
    struct View {
        var end: RecordedCall.End
        var source: Source
        var issues: [CallIssue]
        /// Whether the observer stands where the impairment has not happened yet.
        var isBeforeRouter = false
    }

    let name: String
    /// 1 or 2: thresholds were adjusted on the first half, figures are published of the second.
    let half: Int
    private(set) var views: [View] = []
    private(set) var impairments: [RecordedCall.End: Impairments] = [:]
    let script: RouterScript

    /// Of the recorded calls, in the order of their names, and then of those of SIP: every second one is of the second half.
    static func all(half: Int) async throws -> [IssueScenario] {
        let files = try FileManager.default.contentsOfDirectory(atPath: SharedData.url("sip").path)
        let sip = Set(files.filter { $0.hasSuffix(".wire.csv.gz") }.map { $0.replacing(".wire.csv.gz", with: "") })
        var scenarios: [IssueScenario] = []
        for name in ofHalf(half, try SharedData.callNames()) {
            // Tests that wait for something need a thread, too.
            await Task.yield()
            scenarios.append(try IssueScenario(call: name, half: half))
        }
        for name in ofHalf(half, sip.sorted()) {
            await Task.yield()
            scenarios.append(try IssueScenario(sip: name, half: half))
        }
        return scenarios
    }

    private static func ofHalf(_ half: Int, _ names: [String]) -> [String] {
        names.enumerated().filter { $0.offset % 2 + 1 == half }.map(\.element)
    }

    private init(call name: String, half: Int) throws {
        (self.name, self.half) = (name, half)
        script = try RouterScript("calls/\(name)/wire.csv.gz")
        for end in RecordedCall.End.allCases {
            impairments[end] = Impairments(script, towards: end, isAudioOnly: false)
        }
        addUnlogged()
        for end in RecordedCall.End.allCases {
            let recording = RecordedCall.shared(name, end)
            for (cadence, source) in [
                (RecordedCall.Cadence.oneSecond, Source.everySecond), (.tenSeconds, .everyTenSeconds),
            ] {
                guard let summary = try? recording.record(cadence)?.summary else { continue }
                views.append(View(end: end, source: source, issues: summary.issues.all))
            }
        }
        try addWire("calls/\(name)", names: [("A", .caller), ("B", .callee)])
    }

    private init(sip name: String, half: Int) throws {
        (self.name, self.half) = (name, half)
        script = try RouterScript("sip/\(name).wire.csv.gz")
        for end in RecordedCall.End.allCases {
            impairments[end] = Impairments(script, towards: end, isAudioOnly: true)
        }
        try addWire("sip/\(name)", names: [("caller", .caller), ("callee", .callee)])
    }

    private mutating func addWire(_ path: String, names: [(String, RecordedCall.End)]) throws {
        for (name, end) in names {
            let candidates = [
                "\(path)/\(name).pcap", "\(path)/\(name).pcap.gz", "\(path).\(name).pcap", "\(path).\(name).pcap.gz",
            ]
            guard
                let file = candidates.map(SharedData.url).first(where: {
                    FileManager.default.fileExists(atPath: $0.path)
                })
            else { continue }
            let run = try ProbeRun(file)
            for record in run.records { addWire(record, of: run, at: end) }
        }
    }

    private mutating func addWire(_ record: ProbeRun.Record, of run: ProbeRun, at place: RecordedCall.End) {
        let facts = (run.reports[record] ?? []).map(Fact.wire) + (run.events[record] ?? []).map(Fact.event)
        let sources = Set((run.reports[record] ?? []).flatMap(\.streams).map { String($0.ssrc) })
        let ways = Set(script.streams.values.filter { sources.contains($0.source) }.map(\.way))
        guard ways.count == 1, let way = ways.first else { return }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: record.call), observer: record.observer, attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(facts.sorted { $0.key < $1.key })
        guard let summary = session.summary() else { return }
        views.append(
            View(
                end: way.receiver, source: .wire, issues: summary.issues.all, isBeforeRouter: way.receiver != place))
    }

    /// What was done to a call besides its packets: `truth.json` says it in words.
    private mutating func addUnlogged() {
        guard let media = script.media else {
            let truth = try? JSONDecoder().decode(
                Truth.self, from: Data(SharedData.bytes("calls/\(name)/truth.json")))
            if ["27-ice-failed", "47b-turn-refused"].contains(name), let start = truth?.t0, let end = truth?.t1 {
                // The script waited for a connection before it began to count.
                impairments[.caller]?.add(.neverConnected, start...end, widest: start - 30...end)
                impairments[.callee]?.allow(start - 30...end)
            }
            return
        }
        switch name {
        case "24-ice-one-relay": impairments[.caller]?.add(.lateGathering, media.lowerBound - 5...media.lowerBound)
        case "48-turn-tcp": impairments[.caller]?.add(.relayOverTCP, media)
        case "30-ip-change":
            let change = media.lowerBound + 20...media.lowerBound + 27.5
            for end in RecordedCall.End.allCases {
                impairments[end]?.add(.blackout, change.lowerBound...change.upperBound - 3)
            }
            impairments[.caller]?.add(.ipChange, change)
            for end in RecordedCall.End.allCases { impairments[end]?.add(.pathChange, change) }
        default: break
        }
    }
}

/// `truth.json` of a recording, as far as it is needed here.
private struct Truth: Decodable {
    /// Begin and end of the call proper, in seconds since 1970.
    var t0: Double?
    var t1: Double?
}
