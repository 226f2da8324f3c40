import CallModel
import Foundation
import Synchronization
import TestSupport
import Testing

/// Limits of what one tenant or one address may have open, as clients meet them.
@Suite struct AdmissionTests {
    @Test func `a call beyond the limit is told so, and is taken when another has ended`() async throws {
        try await Sidetone.run(["--max-live-calls", "2"]) { sidetone in
            for call in ["a", "b"] {
                #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(0)).status == 202)
            }
            let refused = try await sidetone.post("/v1/calls/c/stats", Samples.report(0))
            #expect(refused.status == 429 && refused.headers["retry-after"] == "10")
            #expect(refused.reason == "too_many_calls")
            #expect(refused.message.contains("call \"c\" is one more than may go on at a time"))
            #expect(refused.json["refused"][0]["reason"] == "too_many_calls")

            // A body of several calls: each is judged by itself.
            let events = [Samples.event(1, call: "a"), Samples.event(1, call: "c"), Samples.event(1, call: "d")]
            let mixed = try await sidetone.post("/v1/events", events.joined(separator: "\n"))
            #expect(mixed.status == 202 && mixed.json["accepted"] == 1)
            #expect(mixed.json["refused"].elements.map { $0["index"].wholeNumber } == [1, 2])

            // With one that is broken: it goes once more all the same.
            let broken = try await sidetone.post("/v1/events", [events[1], "{}"].joined(separator: "\n"))
            #expect(broken.status == 429 && broken.headers["retry-after"] == "10")
            #expect(broken.reason == "too_many_calls")

            #expect(try await sidetone.post("/v1/events", Samples.end(2, call: "a")).status == 202)
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            let metrics = try await sidetone.get("/metrics").text
            #expect(metrics.contains("\nsidetone_calls_active 2\n"))
            #expect(metrics.contains("\nsidetone_ingest_rejected_total{reason=\"too_many_calls\"} 4\n"))
            let calls = try await sidetone.get("/v1/calls").json["calls"].elements.compactMap { $0["callId"].text }
            #expect(Set(calls) == ["a", "b", "c"])
        }
    }

    @Test func `calls of long ago that are imported take no room from those that go on`() async throws {
        try await Sidetone.run(["--max-live-calls", "1"]) { sidetone in
            let lines = ["old-1", "old-2"].map { Samples.event(1, call: $0) }
            let receipt = try await sidetone.post("/v1/import", lines.joined(separator: "\n"))
            #expect(receipt.json["accepted"] == 2, "\(receipt.text)")
            #expect(try await sidetone.get("/metrics").text.contains("\nsidetone_calls_active 0\n"))
            #expect(try await sidetone.post("/v1/calls/new/stats", Samples.report(0)).status == 202)
            #expect(try await sidetone.post("/v1/calls/newer/stats", Samples.report(0)).status == 429)
        }
    }

    /// Whether something goes on. A class, for tasks share it.
    private final class Switch: Sendable {
        private let state = Mutex(true)

        var isOn: Bool { state.withLock { $0 } }

        func turnOff() { state.withLock { $0 = false } }
    }

    private static let question = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test func `an address with too many connections is turned away, until one of them is closed`() async throws {
        try await Sidetone.run(["--max-connections-per-address", "2", "--idle-seconds", "4"]) { sidetone in
            let client = try sidetone.rawClient
            let holding = Switch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                // They ask for nothing until they are shown out, and come again.
                for _ in 0..<2 {
                    group.addTask { while holding.isOn { _ = await client.send("") } }
                }
                group.addTask {
                    defer { holding.turnOff() }
                    var answer: String?
                    try await eventually("both places are taken") {
                        answer = await client.send(Self.question)
                        return answer?.hasPrefix("HTTP/1.1 429 ") == true
                    }
                    let text = try #require(answer)
                    #expect(text.lowercased().contains("\r\nretry-after: 10\r\n"))
                    #expect(text.contains(#""reason":"too_many_connections""#))
                    #expect(text.contains("more than 2 connections from one address"))
                }
                try await group.waitForAll()
            }
            try await eventually("there is room again") {
                await client.send(Self.question)?.hasPrefix("HTTP/1.1 200") == true
            }
            let metrics = try await sidetone.get("/metrics").text
            let line = metrics.split(separator: "\n").first { $0.contains("too_many_connections") }
            #expect(line?.hasSuffix(" 0") == false, "\(line ?? "")")
        }
    }

    @Test func `one who asks for nothing beyond the limit is shown out long before the others`() async throws {
        try await Sidetone.run(["--max-connections-per-address", "1", "--idle-seconds", "120"]) { sidetone in
            let client = try sidetone.rawClient
            let start = ContinuousClock.now
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<2 { group.addTask { await client.send("") } }
                #expect(await group.next() == "")
                #expect(start.duration(to: .now) < .seconds(20))
                await sidetone.process.kill()
            }
        }
    }

    @Test func `a trusted proxy may have as many as it needs`() async throws {
        let arguments = [
            "--max-connections-per-address", "1", "--trusted-proxy", "127.0.0.1", "--no-authentication",
            "--idle-seconds", "3",
        ]
        try await Sidetone.run(arguments) { sidetone in
            let client = try sidetone.rawClient
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<6 { group.addTask { await client.send(Self.question) } }
                for await answer in group { #expect(answer?.hasPrefix("HTTP/1.1 200") == true, "\(answer ?? "")") }
            }
        }
    }
}
