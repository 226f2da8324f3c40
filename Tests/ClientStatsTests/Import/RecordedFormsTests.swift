import CallModel
import CallQuality
import ClientStats
import TestSupport
import Testing

/// One recorded call in all the forms in which it was kept tells the same.
@Suite(SharedData.required) struct RecordedFormsTests {
    static let all = ((try? SharedData.callNames()) ?? []).filter { isThere($0, "A.getRTPStatistics-10s.jsonl") }
    static let dumped = all.filter { isThere($0, "A.webrtc-internals.json.gz") }

    private static func isThere(_ call: String, _ file: String) -> Bool {
        (try? SharedData.bytes("calls/\(call)/\(file)")) != nil
    }

    private static func read(_ call: String, _ file: String) throws -> ImportedFile {
        let imported = try ImportedFile(SharedData.bytes("calls/\(call)/\(file)"), call: call)
        #expect(imported.refusals == [], "\(call)/\(file)")
        return imported
    }

    // MARK: One second, ten seconds

    @Test(arguments: all, ["A", "B"]) func `every second or every ten, the totals are exact`(
        call: String, end: String
    ) throws {
        let everySecond = try Self.read(call, "\(end).stats-1s.jsonl.gz")
        let everyTen = try Self.read(call, "\(end).getRTPStatistics-10s.jsonl")
        guard let often = try everySecond.summary(), let seldom = try everyTen.summary() else { return }
        // Firefox was asked once more for the one than for the other, milliseconds before it hung up.
        guard often.lastActivity == seldom.lastActivity else {
            return #expect(abs(often.lastActivity.milliseconds(since: seldom.lastActivity)) < 1000)
        }
        for stream in seldom.streams {
            let same = often.streams.first { $0.stream == stream.stream }
            #expect(stream.packets == same?.packets, "\(stream.stream)")
            #expect(stream.packetsLost == same?.packetsLost, "\(stream.stream)")
        }
        #expect(try Self.isWorstAlike(everySecond, everyTen))
    }

    /// The worst stretch lies within one interval; where several are equally bad, each form finds that of the other so.
    private static func isWorstAlike(_ one: ImportedFile, _ other: ImportedFile) throws -> Bool {
        let (left, right) = (try one.summary(), try other.summary())
        guard let first = left?.worstSpan, let second = right?.worstSpan else { return left?.score == right?.score }
        let isNear = abs(first.start.milliseconds(since: second.start)) <= 10_000
        return isNear || isAsBad(first, in: other, as: right) && isAsBad(second, in: one, as: left)
    }

    /// Whether a stretch is as bad in a file as the worst one there, within 3 points.
    private static func isAsBad(_ span: TimeSpan, in file: ImportedFile, as summary: CallSummary?) -> Bool {
        guard let worst = summary?.worstSpan, let end = span.end else { return false }
        func least(_ start: Timestamp, _ end: Timestamp) -> Int? {
            file.windows().filter { $0.start < end && $0.end > start }.compactMap(\.score).min()
        }
        guard let known = worst.end.flatMap({ least(worst.start, $0) }), let found = least(span.start, end) else {
            return false
        }
        return found - known <= 3
    }

    // MARK: Dumps

    /// Calls whose last second, which their dumps lack, makes the last stretch as bad as the one before.
    private static let cutShort = ["29-mute-hold"]

    @Test(arguments: dumped) func `both dumps of Chrome hold the same reports and events`(call: String) throws {
        let internals = try Self.read(call, "A.webrtc-internals.json.gz")
        let dump = try Self.read(call, "A.rtcstats-dump.jsonl.gz")
        #expect(internals.format == .webrtcInternals)
        #expect(dump.format == .rtcstats)
        #expect(internals.events == dump.events)
        let dumped = Dictionary(dump.reports.map { ($0.time, $0) }) { first, _ in first }
        var common = 0
        for report in internals.reports {
            guard let other = dumped[report.time] else { continue }
            common += 1
            #expect(Self.counters(of: report) == Self.counters(of: other), "\(report.time)")
        }
        #expect(common >= min(internals.reports.count, dump.reports.count))
    }

    /// The counters of the streams, which every report has.
    private static func counters(of report: StatsReport) -> [String: JSONObject] {
        let names = ["packetsReceived", "packetsSent", "packetsLost", "bytesReceived", "bytesSent", "jitter", "mid"]
        let types: Set<StatsType> = [.inboundRTP, .outboundRTP, .remoteInboundRTP, .transport]
        let counted = report.objects.filter { types.contains($0.type) }
        return Dictionary(
            counted.map { object in (object.id, object.members.filter { names.contains($0.key) }) }
        ) { $1 }
    }

    /// Dumps were taken a moment before the end, so their totals lie between two reports of every second.
    @Test(arguments: dumped, ["A.webrtc-internals.json.gz", "A.rtcstats-dump.jsonl.gz"])
    func `a dump agrees with the reports of the client`(call: String, file: String) throws {
        let dump = try Self.read(call, file)
        let everySecond = try Self.read(call, "A.stats-1s.jsonl.gz")
        guard let last = dump.reports.last else {
            #expect(dump.reports.isEmpty)
            return
        }
        let before = everySecond.reports.last { $0.time <= last.time }
        let after = everySecond.reports.first { $0.time >= last.time }
        for object in last.objects where object.type == .inboundRTP || object.type == .outboundRTP {
            for name in ["packetsReceived", "packetsSent", "bytesReceived", "bytesSent"] {
                guard let count = object.members[name]?.number else { continue }
                let bounds = [before, after].map { $0?.objects.first { $0.id == object.id }?.members[name]?.number }
                #expect((bounds[0] ?? 0) <= count)
                if let most = bounds[1] { #expect(count <= most) }
            }
        }
        let isAlike = try Self.isWorstAlike(everySecond, dump)
        guard Self.cutShort.contains(call) else { return #expect(isAlike) }
        let worst = [try everySecond.summary()?.worstScore, try dump.summary()?.worstScore].compactMap { $0 }
        #expect(worst.count == 2 && abs(worst[0] - worst[1]) <= 3)
    }

    @Test(arguments: dumped) func `a dump tells when ICE connected`(call: String) throws {
        let dump = try Self.read(call, "A.webrtc-internals.json.gz")
        let recorded = try Self.read(call, "A.callAdditionalInfo.jsonl")
        let told = recorded.events.first { $0.type == "iceConnected" }?.time
        let concluded = dump.events.first { $0.type == "iceConnected" }?.time
        #expect((told == nil) == (concluded == nil))
        if let told, let concluded { #expect(abs(told.milliseconds(since: concluded)) <= 50) }
        #expect(!dump.events.contains { $0.type == "callCreate" })
    }

    @Test func `connections of one page are connections of one call`() throws {
        let page = try Self.read("46-onepage", "webrtc-internals.json.gz")
        #expect(page.calls == ["46-onepage"])
        let connections = Set(page.reports.map(\.connection.rawValue))
        #expect(connections == ["8-1", "8-2", "8-3", "8-4", "8-5", "8-6", "8-7", "8-8"])
    }

    @Test(arguments: ["pair", "mesh3"]) func `the reports of every second of a page lie between those of its dump`(
        name: String
    ) throws {
        let page = try Self.read("46-onepage", "webrtc-internals.json.gz")
        let everySecond = try Self.read("46-onepage", "\(name).stats-1s.jsonl.gz")
        var compared = 0
        for report in everySecond.reports {
            for object in report.objects where object.type == .inboundRTP || object.type == .outboundRTP {
                let member = object.type == .inboundRTP ? "packetsReceived" : "packetsSent"
                guard let count = object.members[member]?.number else { continue }
                let same = page.reports.flatMap(\.objects)
                    .filter { $0.type == object.type && $0.members["ssrc"] == object.members["ssrc"] }
                let before = same.last { $0.timestamp ?? report.time <= report.time }?.members[member]?.number
                let after = same.first { $0.timestamp ?? report.time >= report.time }?.members[member]?.number
                #expect((before ?? 0) <= count && count <= after ?? .infinity, "\(object.id) at \(report.time)")
                compared += before != nil && after != nil ? 1 : 0
            }
        }
        #expect(compared > 2 * everySecond.reports.count)
    }

    /// The page plays none of its sound: what its jitter buffers threw away was no sound that came too late.
    @Test(arguments: ["webrtc-internals.json.gz", "pair.stats-1s.jsonl.gz", "mesh3.stats-1s.jsonl.gz"])
    func `a clean call that nobody listens to is clean`(file: String) throws {
        let summary = try #require(try Self.read("46-onepage", file).summary())
        #expect(summary.score ?? 0 >= 90)
        #expect(summary.costs[.late] ?? 0 < 1)
    }
}
