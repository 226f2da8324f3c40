import CallModel
import Testing

@testable import CallQuality

@Suite struct PathTrackerTests {
    private static let candidates = ["host", "srflx", "relay"].map { type in
        StatsObject(
            id: "L-\(type)", type: .localCandidate, timestamp: nil,
            members: [
                "candidateType": .string(type), "protocol": "udp",
                "relayProtocol": type == "relay" ? "tcp" : .null, "networkType": "wifi",
            ])
    }

    private func pair(_ id: String, _ local: String, _ members: JSONObject = [:]) -> StatsObject {
        StatsObject(
            id: id, type: .candidatePair, timestamp: nil,
            members: members.merging(["localCandidateId": .string("L-\(local)")]) { first, _ in first })
    }

    private func transport(_ pair: String, changes: Int64? = nil) -> StatsObject {
        StatsObject(
            id: "T", type: .transport, timestamp: nil,
            members: [
                "selectedCandidatePairId": .string(pair),
                "selectedCandidatePairChanges": changes.map(JSONValue.integer) ?? .null,
            ])
    }

    /// One report every ten seconds.
    private func path(_ reports: [[StatsObject]]) -> PathSummary {
        var tracker = PathTracker()
        for (index, objects) in reports.enumerated() {
            let time = Timestamp(milliseconds: Int64(index) * 10_000)
            let report = StatsReport(
                connection: .only, time: time, receivedAt: time, objects: objects + Self.candidates)
            _ = tracker.take(ReportReader(report))
        }
        return tracker.current
    }

    private static let usable: JSONObject = ["nominated": true, "state": "succeeded"]

    @Test func `the transport names the pair, whatever the pairs say of themselves`() {
        let path = path([
            [
                pair("a", "host", Self.usable.merging(["bytesSent": 9_000]) { first, _ in first }),
                pair("b", "relay"), transport("b"),
            ]
        ])
        #expect(path.localType == "relay")
        #expect(path.relayProtocol == "tcp")
        #expect(path.networkType == "wifi")
        #expect(path.isRelayed == true)
    }

    @Test func `Firefox marks it, and nominates others too`() {
        let path = path([
            [pair("a", "host", Self.usable), pair("b", "srflx", Self.usable.merging(["selected": true]) { $1 })]
        ])
        #expect(path.localType == "srflx")
        #expect(path.isRelayed == false)
    }

    @Test func `else it is the nominated one that carries the most new bytes`() {
        func report(_ host: Int64, _ relay: Int64) -> [StatsObject] {
            [
                pair("a", "host", Self.usable.merging(["bytesReceived": .integer(host)]) { $1 }),
                pair("b", "relay", Self.usable.merging(["bytesSent": .integer(relay)]) { $1 }),
                pair("c", "srflx", ["nominated": false, "state": "succeeded", "bytesSent": 1_000_000]),
            ]
        }
        #expect(path([report(5_000, 100)]).localType == "host")
        let moved = path([report(5_000, 100), report(5_100, 4_000)])
        #expect(moved.localType == "relay")
        #expect(moved.changes == [Timestamp(milliseconds: 10_000)])
    }

    @Test func `a change shows by the pair, or by the counter of the transport alone`() {
        let reports = [
            [pair("a", "host"), transport("a", changes: 1)], [pair("a", "host"), transport("a", changes: 1)],
            [pair("b", "srflx"), transport("b", changes: 2)], [pair("b", "srflx"), transport("b", changes: 4)],
        ]
        #expect(path(reports).changes == [Timestamp(milliseconds: 20_000), Timestamp(milliseconds: 30_000)])
    }

    @Test func `a pair that has other names in each report is the same while the counter stands and bytes go on`() {
        func report(_ name: String, bytes: Int64, changes: Int64?) -> [StatsObject] {
            [pair(name, "host", ["bytesSent": .integer(bytes)]), transport(name, changes: changes)]
        }
        let renamed = [
            report("a", bytes: 100, changes: 1), report("b", bytes: 200, changes: 1),
            report("c", bytes: 300, changes: 1),
        ]
        #expect(path(renamed).changes == [])
        let counted = [report("a", bytes: 100, changes: 1), report("b", bytes: 200, changes: 2)]
        #expect(path(counted).changes == [Timestamp(milliseconds: 10_000)])
        let anew = [report("a", bytes: 100, changes: 1), report("b", bytes: 50, changes: 1)]
        #expect(path(anew).changes == [Timestamp(milliseconds: 10_000)], "the counters of another connection")
        let uncounted = [report("a", bytes: 100, changes: nil), report("b", bytes: 200, changes: nil)]
        #expect(path(uncounted).changes == [Timestamp(milliseconds: 10_000)])
    }

    @Test func `the time on each kind of path is counted from report to report`() {
        let far = StatsObject(
            id: "R", type: .remoteCandidate, timestamp: nil, members: ["candidateType": "host"])
        func report(_ local: String) -> [StatsObject] {
            [far, pair(local, local, ["remoteCandidateId": "R"]), transport(local)]
        }
        let path = path([report("host"), report("host"), report("relay"), report("relay"), report("srflx"), []])
        #expect(path.secondsByKind == [.direct: 20, .relay: 20, .reflexive: 10])
    }

    @Test func `no pair is no path`() {
        let path = path([[], [transport("none")]])
        #expect(path == PathSummary())
        #expect(path.isRelayed == nil)
    }

    @Test func `checks of ICE are those of all pairs, and those of pairs that are gone are no fewer`() {
        var tracker = PathTracker()
        var found: [Double?] = []
        let reports: [[JSONObject]] = [
            [["responsesReceived": 0]], [["responsesReceived": 3], ["requestsReceived": 2]],
            [["responsesReceived": 4, "requestsReceived": 1], ["requestsReceived": 2]], [["responsesReceived": 5]], [],
            [["responsesReceived": 6]],
        ]
        for (place, members) in reports.enumerated() {
            let time = Timestamp(milliseconds: Int64(10_000 * place))
            let pairs = members.enumerated().map {
                StatsObject(id: "p\($0.offset)", type: .candidatePair, timestamp: time, members: $0.element)
            }
            let report = StatsReport(connection: .only, time: time, receivedAt: time, objects: pairs)
            _ = tracker.take(ReportReader(report))
            found.append(tracker.checksReceived(of: .only))
        }
        #expect(found == [nil, nil, 2, 0, 0, 1])
    }

    @Test func `the round trip is the mean of those measured, not of those shown`() {
        func report(_ total: Double, _ responses: Int64) -> [StatsObject] {
            [
                pair(
                    "a", "host", ["totalRoundTripTime": .double(total), "responsesReceived": .integer(responses)]),
                transport("a"),
            ]
        }
        #expect(path([report(1, 10)]).roundTripMilliseconds == nil)
        #expect(path([report(1, 10), report(1, 10)]).roundTripMilliseconds == nil, "nothing was measured since")
        let measured = path([report(1, 10), report(1.2, 12), report(1.2, 12)]).roundTripMilliseconds
        #expect(abs((measured ?? 0) - 100) < 1e-6)
    }

    private func current(_ seconds: Double, _ responses: Int64? = nil, of name: String = "a") -> [StatsObject] {
        let members: JSONObject = [
            "currentRoundTripTime": .double(seconds), "responsesReceived": responses.map(JSONValue.integer) ?? .null,
        ]
        return [pair(name, "host", members), transport(name)]
    }

    /// The first one is that of the time before the reports.
    @Test func `without totals the round trip is the mean of the latest ones, each new one once`() {
        let uncounted = path([current(0.6), current(0.5), current(0.3)]).roundTripMilliseconds
        #expect(abs((uncounted ?? 0) - 400) < 1e-6)
        let counted = path([current(0.6, 1), current(0.6, 1), current(0.5, 2), current(0.5, 2), current(0.3, 4)])
        #expect(abs((counted.roundTripMilliseconds ?? 0) - 400) < 1e-6)
        #expect(path([current(0.6), current(0)]).roundTripMilliseconds == nil)
    }

    @Test func `a pair that was chosen again and again has round trips, too`() {
        let pairs = [current(0.1, 1), current(0.3, 7, of: "b"), current(0.1, 3), current(0.5, 9, of: "b")]
        let totals = pairs.map { objects in
            objects.map { object in
                var told = object
                told.members["totalRoundTripTime"] = 4
                return told
            }
        }
        #expect(abs((path(totals).roundTripMilliseconds ?? 0) - 300) < 1e-6)
    }
}
