import CallModel
import Deflate
import Foundation
import Testing

/// What probes post: the same road as for clients, with the same guarantees.
@Suite struct WireTests {
    private static let call = "7c1f@10.77.0.2"

    /// Everything a probe tells of one end of a call of 20 s.
    private static var lines: [String] {
        let signalling: [(String, Int64)] = [
            ("INVITE", -9_000), ("100", -8_990), ("180", -8_200), ("200", -5_100), ("ACK", -5_050), ("BYE", 15_500),
            ("BYE 200", 15_530),
        ]
        let aliases: JSONValue = ["Session-ID: 47"]
        return signalling.enumerated().map { index, said in
            Samples.sip(
                said.0, at: said.1, call: call,
                members: index == 0 ? ["seq": 1, "aliases": aliases] : ["seq": .integer(Int64(index + 1))])
        } + (0...3).map { Samples.wire($0, call: call) }
    }

    private static var body: String { lines.joined(separator: "\n") + "\n" }

    @Test func `lines of a probe become a record with setup, streams, score and sensor, and a report`() async throws {
        try await Sidetone.run { sidetone in
            let receipt = try await sidetone.post(
                "/v1/wire", Self.body, headers: ["Content-Type": "application/x-ndjson"])
            #expect(receipt.status == 202, "\(receipt.text)")
            #expect(receipt.json["accepted"] == .integer(Int64(Self.lines.count)))
            #expect(receipt.json["refused"] == [] && receipt.json["unknownProperties"] == [], "\(receipt.text)")

            let record = try await sidetone.get("/v1/calls/\(Self.call)").json["records"][0]
            #expect(record["observer"] == "wire:caller")
            #expect(record["outcome"] == "connected")
            #expect(record["setup"]["ringTimeMilliseconds"] == 3_100)
            #expect(record["setup"]["sessionRequestDelayMilliseconds"] == 800)
            #expect(record["setup"]["sessionDisconnectDelayMilliseconds"] == 30)
            #expect(record["aliases"] == ["Session-ID: 47"])
            #expect(record["sensor"]["packetsRecordedTwice"] == 3)
            #expect(record["streams"][0]["packets"] == 1000)
            #expect(record["streams"][0]["wire"]["source"] == "10.77.0.0/24:4000")
            #expect(record["streams"][0]["wire"]["figures"]["packetsReceived"] == 1000)
            #expect(record["basis"] != .null)
            #expect(record["score"].number.map { $0 > 60 } == true)

            let text = try await sidetone.get("/v1/calls/\(Self.call)/report").text
            #expect(text.contains(Self.call) && text.contains("wire:caller"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let json = try await sidetone.get("/v1/calls/\(Self.call)/report?format=json").json["records"][0]
            #expect(json["events"].elements.map { $0["type"] }.contains("BYE 200"))
        }
    }

    @Test func `what is posted again changes nothing, gzip or not, and what contradicts is told`() async throws {
        try await Sidetone.run { sidetone in
            _ = try await sidetone.post("/v1/wire", Self.body)
            let report = try await sidetone.get("/v1/calls/\(Self.call)/report").text
            let again = try await sidetone.post(
                "/v1/wire", Gzip.deflate(Array(Self.body.utf8)), headers: ["Content-Encoding": "gzip"])
            #expect(again.json["repeated"] == .integer(Int64(Self.lines.count)), "\(again.text)")
            #expect(try await sidetone.get("/v1/calls/\(Self.call)/report").text == report)

            let other = Samples.wire(2, call: Self.call)
                .replacing("\"audioPacketsSent\":750", with: "\"audioPacketsSent\":7")
            #expect(try await sidetone.post("/v1/wire", other).json["contradicted"] == 1)
            let record = try await sidetone.get("/v1/calls/\(Self.call)").json["records"][0]
            #expect(record["dataQuality"]["contradictions"] == 1)
        }
    }

    @Test func `a bad line is named by its place and does not cost the rest`() async throws {
        try await Sidetone.run { sidetone in
            let body = [Samples.wire(0, call: "c"), #"{"callId":"c","time":1}"#, "{", Samples.wire(1, call: "c")]
            let reply = try await sidetone.post("/v1/wire", body.joined(separator: "\n"))
            #expect(reply.status == 202 && reply.json["accepted"] == 2, "\(reply.text)")
            #expect(reply.json["refused"].elements.map { $0["index"] } == [1, 2])
            #expect(reply.json["refused"].elements.map { $0["reason"] } == ["wrong_type", "malformed"])
        }
    }

    @Test(arguments: [
        ("", [:], "wire"), ("?observer=wire:callee", [:], "wire:callee"), ("", ["Sidetone-Observer": "tap"], "tap"),
    ])
    func `the observer comes from the query, else the header, when the line names none`(
        query: String, headers: [String: String], expected: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.post(
                "/v1/wire\(query)", #"{"callId":"c","time":1778000000000,"streams":[]}"#, headers: headers)
            #expect(reply.status == 202, "\(reply.text)")
            #expect(try await sidetone.get("/v1/calls/c").json["records"][0]["observer"] == .string(expected))
        }
    }

    /// Durability under load is tested for all kinds of messages together; see ``DurabilityTests``.
    @Test func `what was acknowledged before kill -9 is in the report afterwards`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await Sidetone.start(in: folder)
            for line in Self.lines { #expect(try await first.post("/v1/wire", line).json["accepted"] == 1) }
            let report = try await first.get("/v1/calls/\(Self.call)/report").text
            await first.process.kill()

            let database = folder.appending(path: "calls.sqlite").path
            let printed = try await SidetoneProcess.run(
                ["call", Self.call, "--database", database], program: "statsreport")
            #expect(printed.output == report && printed.status == 0, "\(printed.errors)")

            let second = try await Sidetone.start(in: folder)
            #expect(try await second.get("/v1/calls/\(Self.call)/report").text == report)
            let again = try await second.post("/v1/wire", Self.body)
            #expect(again.json["repeated"] == .integer(Int64(Self.lines.count)), "\(again.text)")
            #expect(await second.process.terminate() == 0)
        }
    }
}
