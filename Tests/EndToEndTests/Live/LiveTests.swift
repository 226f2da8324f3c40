import CallModel
import Foundation
import JSONText
import NIOHTTP1
import TestSupport
import Testing

/// Calls as they happen, over a real connection.
@Suite struct LiveTests {
    /// Posts what one end of a sample call said, in order of time, and its end.
    private static func post(_ name: String, to sidetone: Sidetone) async throws -> String {
        let folder = SharedData.packageRoot.appending(path: "SampleData/\(name)")
        var messages: [(time: Int64, path: String, body: String)] = []
        var call = ""
        for kind in ["callAdditionalInfo", "getRTPStatistics-10s"] {
            let text = try String(contentsOf: folder.appending(path: "A.\(kind).jsonl"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let message = try JSONValue(parsing: Array(line.utf8))
                call = message["callId"].text ?? ""
                let path = kind.hasPrefix("get") ? "/v1/calls/\(call)/stats" : "/v1/events"
                messages.append((message["time"].wholeNumber ?? 0, path, String(line)))
            }
        }
        messages.sort { $0.time < $1.time }
        let end =
            #"{"action":"callState","type":"ENDED","callId":"\#(call)","time":\#((messages.last?.time ?? 0) + 500)}"#
        for (path, body) in messages.map({ ($0.path, $0.body) }) + [("/v1/events", end)] {
            let reply = try await sidetone.post("\(path)?observer=caller", body)
            #expect(reply.status == 202, "\(reply.text)")
        }
        return call
    }

    @Test func `a call is told from its beginning to its end, with every score that its client would be told`()
        async throws
    {
        try await Sidetone.run { sidetone in
            let events = try await EventStream.open(sidetone, "/v1/live") { stream in
                #expect(stream.status == 200 && stream.type == "text/event-stream")
                var call: Task<String, any Error>?
                let events = try await stream.read { event in
                    if call == nil { call = Task { try await Self.post("10-outage5s", to: sidetone) } }
                    return event.endsCall
                }
                _ = try await call?.value
                return events
            }
            #expect(events.first?.name == "snapshot" && events.first?.data["calls"] == [])
            let told = events.dropFirst()
            #expect(told.first?.name == "callStarted" && told.last?.data["outcome"] == "connected")
            #expect(Set(told.map { $0.data["observer"] }) == ["caller"] && Set(told.map { $0.data["attempt"] }) == [1])
            let numbers = told.compactMap { UInt64($0.id) }
            #expect(numbers.count == told.count && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })

            let call = try #require(told.first?.data["callId"].text)
            let series = try await sidetone.get("/v1/calls/\(call)/series").json["records"][0]
            let scores = told.filter { $0.name == "inboundQualityChanged" }
            #expect(scores.map { $0.data["score"] } == series["emitted"].elements.map { $0["score"] })
            #expect(scores.map { $0.data["time"] } == series["emitted"].elements.map { $0["time"] })
            #expect(scores.count >= 3)
            let raised = told.filter { $0.name == "issueRaised" }.map { $0.data["issue"].text ?? "" }
            let issues = try await sidetone.get("/v1/calls/\(call)").json["records"][0]["issues"].elements
            #expect(Set(raised).isSuperset(of: ["blackout"]) && issues.contains { $0["kind"] == "blackout" })
            #expect(
                told.last?.data["score"] == (try await sidetone.get("/v1/calls/\(call)").json["records"][0]["score"]))
        }
    }

    @Test func `after a break the stream goes on behind the last event, with none missing and none twice`() async throws
    {
        try await Sidetone.run { sidetone in
            // Only what comes after the first event that it reads is told to be read again.
            var last = try await EventStream.open(sidetone, "/v1/live") { try await $0.read { _ in true } }.last?.id
            var seen: [String] = []
            for round in 0..<4 {
                for index in 0..<5 {
                    let call = "r\(round)-\(index)"
                    #expect(try await sidetone.post("/v1/events", Samples.event(1, call: call)).status == 202)
                }
                let wanted = 5 * (round + 1)
                // Breaks off after three of the five, and comes back.
                for most in [wanted - 2, wanted] {
                    let more = try await EventStream.open(sidetone, "/v1/live", after: last) { stream in
                        var count = seen.count
                        return try await stream.read { _ in
                            count += 1
                            return count == most
                        }
                    }
                    #expect(!more.contains { ["snapshot", "reset"].contains($0.name) })
                    seen += more.compactMap { $0.data["callId"].text }
                    last = more.last?.id
                }
            }
            #expect(seen == (0..<4).flatMap { round in (0..<5).map { "r\(round)-\($0)" } })
        }
    }

    @Test(arguments: ["1", "18446744073709551615", "x", "-4", ""])
    func `an event that is not there any more, or never was, begins anew with a snapshot`(id: String) async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            let events = try await EventStream.open(sidetone, "/v1/live", after: id) { stream in
                try await stream.read { $0.name == "snapshot" }
            }
            #expect(events.map(\.name) == ["reset", "snapshot"])
            #expect(events.last?.data["calls"].elements.map { $0["callId"] } == ["c"])
            let head = try await sidetone.get("/v1/calls").json["calls"][0]
            var shown = events.last?.data["calls"][0].members ?? [:]
            #expect(shown.removeValue(forKey: "inboundQuality") != nil)
            #expect(JSONValue.object(shown) == head)
        }
    }

    @Test func `one call is told apart from others, and one observer from the other`() async throws {
        try await Sidetone.run { sidetone in
            for call in ["mine", "other"] {
                #expect(try await sidetone.post("/v1/events", Samples.event(0, call: call)).status == 202)
            }
            func post(_ index: Int, _ call: String, _ observer: String, _ type: String = "iceConnected") async throws {
                let event = Samples.event(
                    index, call: call, type: type, action: type == "iceConnected" ? "iceState" : "callState"
                )
                .replacing(#""observer":"caller""#, with: #""observer":"\#(observer)""#)
                #expect(try await sidetone.post("/v1/events", event).status == 202)
            }
            for (query, wanted) in [("", ["caller", "callee"]), ("?observer=caller", ["caller"])] {
                let round = query.isEmpty ? 10 : 20
                let told = try await EventStream.open(sidetone, "/v1/calls/mine/live\(query)") { stream in
                    try await stream.read { event in
                        guard event.name == "snapshot" else {
                            return event.endsCall && event.data["observer"].text == wanted.last
                        }
                        #expect(event.data["calls"].elements.contains { $0["observer"] == "caller" })
                        #expect(event.data["calls"].elements.allSatisfy { $0["callId"] == "mine" })
                        if query.isEmpty {
                            try await post(round, "mine", "callee")
                            try await post(round, "other", "callee")
                            try await post(round + 1, "mine", "caller", "ENDED")
                            try await post(round + 2, "mine", "callee", "ENDED")
                        } else {
                            // A call that ended is opened anew by its creation.
                            try await post(round, "mine", "callee", "callCreate")
                            try await post(round, "mine", "caller", "callCreate")
                            try await post(round + 1, "mine", "caller", "ENDED")
                        }
                        return false
                    }
                }.dropFirst()
                #expect(told.allSatisfy { $0.data["callId"] == "mine" })
                let observers = told.map { $0.data["observer"].text ?? "" }
                #expect(Set(observers) == Set(wanted))
                #expect(zip(told, observers).filter(\.0.endsCall).map(\.1) == wanted)
            }
            let unknown = try await EventStream.open(sidetone, "/v1/calls/nobody/live") { $0.status }
            #expect(unknown == 404)
        }
    }

    @Test func `tenants are told nothing of each other, and reading takes a token for it`() async throws {
        let mine = try await TestToken(tenant: "a", scope: "ingest,read")
        let other = try await TestToken(tenant: "b", scope: "ingest,read")
        let writer = try await TestToken(tenant: "a", scope: "ingest")
        try await Sidetone.run(taking: [mine, other, writer]) { sidetone, _ in
            #expect(try await sidetone.post("/v1/events", Samples.event(0, call: "old"), as: other).status == 202)
            let told = try await EventStream.open(sidetone, "/v1/live", headers: mine.headers) { stream in
                try await stream.read { event in
                    guard event.name == "snapshot" else { return true }
                    for (token, call) in [(other, "theirs"), (other, "shared"), (mine, "shared")] {
                        let reply = try await sidetone.post("/v1/events", Samples.event(1, call: call), as: token)
                        #expect(reply.status == 202)
                    }
                    return false
                }
            }
            #expect(told.map { $0.data["callId"] } == [.null, "shared"] && told[0].data["calls"] == [])
            for (token, status) in [(writer.headers, 403), ([:], 401)] {
                #expect(try await EventStream.open(sidetone, "/v1/live", headers: token) { $0.status } == status)
            }
            #expect(
                try await EventStream.open(sidetone, "/v1/calls/old/live", headers: mine.headers) { $0.status } == 404)
        }
    }

    /// Snapshots are taken once a second; the second watcher comes sooner.
    @Test func `who begins to watch after a call was erased is not shown it`() async throws {
        try await Sidetone.run { sidetone in
            for call in ["kept", "erased"] {
                #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(0)).status == 202)
            }
            func shown() async throws -> Set<String> {
                let told = try await EventStream.open(sidetone, "/v1/live") { try await $0.read { _ in true } }
                return Set(told.first?.data["calls"].elements.compactMap { $0["callId"].text } ?? [])
            }
            let before = try await shown()
            let reply = try await sidetone.delete("/v1/calls/erased")
            let after = try await shown()
            #expect(before == ["kept", "erased"] && reply.status == 204 && after == ["kept"])
        }
    }

    @Test func `who watches is told that an erased call is over, and nothing else of it`() async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.post("/v1/calls/gone/stats", Samples.report(0)).status == 202)
            let told = try await EventStream.open(sidetone, "/v1/live") { stream in
                try await stream.read { event in
                    if event.name == "snapshot" {
                        let reply = try await sidetone.delete("/v1/calls/gone")
                        #expect(reply.status == 204)
                    }
                    return event.endsCall
                }
            }
            // The snapshot may be a little older than the call.
            #expect(told.map(\.name).filter { $0 != "callStarted" } == ["snapshot", "callEnded"])
            var data = told.last?.data.members ?? [:]
            #expect(data.removeValue(forKey: "time") != nil)
            let expected: JSONObject = [
                "attempt": 1, "callId": "gone", "observer": "caller", "outcome": "unknown", "reason": "erased",
                "score": .null, "worstScore": .null,
            ]
            #expect(JSONValue.object(data) == .object(expected))
        }
    }

    @Test func `only so many may watch; further ones are told to come later, and find room when one has gone`()
        async throws
    {
        try await Sidetone.run(["--max-live-subscribers", "2"]) { sidetone in
            try await EventStream.open(sidetone, "/v1/live") { first in
                try await first.read { _ in true }
                try await EventStream.open(sidetone, "/v1/live") { second in
                    try await second.read { _ in true }
                    #expect(try await sidetone.get("/metrics").text.contains("\nsidetone_live_subscribers 2\n"))
                    #expect(try await EventStream.open(sidetone, "/v1/live") { $0.status } == 503)
                    let third = try await sidetone.get("/v1/live")
                    #expect(third.status == 503 && third.reason == "overloaded" && third.headers["retry-after"] == "5")
                    #expect(try await sidetone.get("/metrics").text.contains("\nsidetone_live_subscribers 2\n"))
                }
            }
            try await eventually("the places are free again") {
                try await sidetone.get("/metrics").text.contains("\nsidetone_live_subscribers 0\n")
            }
            #expect(try await EventStream.open(sidetone, "/v1/live") { $0.status } == 200)
        }
    }

    @Test func `a server that is told to stop ends the streams, and itself, in time`() async throws {
        try await Sidetone.run { sidetone in
            let began = ContinuousClock.now
            let (watching, watches) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        defer { watches.yield() }
                        return try await EventStream.open(sidetone, "/v1/live") { stream in
                            try await stream.read { _ in
                                watches.yield()
                                return false
                            }.count
                        }
                    }
                }
                for await _ in watching.prefix(8) {}
                sidetone.process.sendTerminate()
                for try await events in group { #expect(events == 1) }
            }
            #expect(await sidetone.process.waitForExit() == 0)
            #expect(ContinuousClock.now - began < .seconds(15))
        }
    }
}

extension ServerEvent {
    /// Whether an event ended a call: where tests take minutes, calls are taken for over in between, being silent.
    fileprivate var endsCall: Bool { name == "callEnded" && data["reason"] != "silent" }
}
