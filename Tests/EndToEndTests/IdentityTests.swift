import CallModel
import Foundation
import Testing

/// One call under several ids, over HTTP.
@Suite struct IdentityTests {
    private func event(_ type: String, _ seconds: Int, action: String = "callMetric", _ ids: String) -> String {
        let time = Samples.start + Int64(seconds) * 1000
        return #"{"action":"\#(action)","type":"\#(type)","time":"\#(time)",\#(ids),"side":"caller"}"#
    }

    @Test func `statistics under the session's id and events under the call's are one call`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            for index in 1...4 {
                let reply = try await sidetone.post("/v1/calls/s-81/stats", Samples.report(index))
                #expect(reply.status == 202, "\(reply.text)")
            }
            #expect(try await sidetone.get("/v1/calls").json["calls"].elements.map { $0["callId"] } == ["s-81"])
            let early = [
                event("callCreate", 5, #""callId":"c-1""#), event("callAnswerReceived", 9, #""callId":"c-1""#),
            ]
            let pair = event("ENDED", 45, action: "callState", #""callId":"c-1","sessionId":"s-81""#)
            let reply = try await sidetone.post("/v1/events", "[\((early + [pair]).joined(separator: ","))]")
            #expect(reply.json["accepted"] == 3, "\(reply.text)")

            #expect(try await sidetone.get("/v1/calls").json["calls"].elements.map { $0["callId"] } == ["c-1"])
            for name in ["c-1", "s-81"] {
                let records = try await sidetone.get("/v1/calls/\(name)").json["records"].elements
                #expect(records.map { $0["callId"] } == ["c-1"])
                #expect(records.map { $0["dataQuality"]["reports"] } == [4])
                #expect(records.map { $0["names"] } == [[["kind": "session", "name": "s-81", "source": "sessionId"]]])
                let series = try await sidetone.get("/v1/calls/\(name)/series").json["records"].elements
                #expect(series.map { $0["callId"] } == ["c-1"])
                let facts = try await sidetone.get("/v1/calls/\(name)/facts").json["records"].elements
                #expect(facts.map { $0["callId"] } == ["c-1"])
                #expect(facts.map { $0["reports"].elements.map { $0["objects"].elements.isEmpty } } == [[false]])
            }
            let report = try await sidetone.get("/v1/calls/s-81/report").text
            #expect(report.contains("also known by sessionId: s-81"))
            #expect(try await sidetone.get("/v1/calls/c-1/report").text == report)
            let database = folder.appending(path: "calls.sqlite").path
            let printed = try await SidetoneProcess.run(
                ["call", "s-81", "--database", database], program: "statsreport")
            #expect(printed.output == report)
            #expect(try await sidetone.delete("/v1/calls/c-1").status == 204)
            #expect(try await sidetone.get("/v1/calls/s-81").status == 410)
            await sidetone.process.kill()
        }
    }

    /// All of it is posted at once: what was stamped afterwards is moved behind what came before.
    @Test func `events of a client whose clock was set back are shown where they happened`() async throws {
        func setBack(_ message: String, from second: Int64) -> String {
            let time = Samples.start + second * 1000
            return message.replacing("\(time)", with: "\(time - 3_600_437)")
        }
        try await Sidetone.run { sidetone in
            let bodies =
                (1...4).map { Samples.report($0) } + (5...6).map { setBack(Samples.report($0), from: Int64(10 * $0)) }
            for body in bodies { #expect(try await sidetone.post("/v1/calls/c-1/stats", body).status == 202) }
            let hold = setBack(event("ON_HOLD", 55, action: "callState", #""callId":"c-1""#), from: 55)
            #expect(try await sidetone.post("/v1/events", hold).json["accepted"] == 1)
            let records = try await sidetone.get("/v1/calls/c-1/events").json["records"].elements
            let time = try #require(records.first?["events"].elements.first?["time"].text)
            #expect("2026-05-05T16:54:00" < time && time < "2026-05-05T16:54:20", "\(time)")
            let quality = try await sidetone.get("/v1/calls/c-1").json["records"].elements.map { $0["dataQuality"] }
            #expect(quality.map { $0["counterResets"] } == [0])
            #expect(
                quality.map { $0["notes"].elements.map { $0.text?.hasPrefix("the client's clock was set back by") } }
                    == [[true]])
        }
    }

    @Test func `the id of a session stands for its calls when they are erased, too`() async throws {
        try await Sidetone.run { sidetone in
            for index in 1...4 { _ = try await sidetone.post("/v1/calls/s-81/stats", Samples.report(index)) }
            let events = [("c-1", 5), ("c-2", 25)].map { call, second in
                event("callCreate", second, #""callId":"\#(call)","sessionId":"s-81""#)
            }
            let reply = try await sidetone.post("/v1/events", "[\(events.joined(separator: ","))]")
            #expect(reply.json["accepted"] == 2, "\(reply.text)")
            #expect(try await sidetone.delete("/v1/calls/s-81").status == 204)
            for name in ["c-1", "c-2", "s-81"] {
                #expect(try await sidetone.get("/v1/calls/\(name)").status == 410)
            }
        }
    }

    @Test func `a probe's view is shown beside the client's, by an id for certain, by an SSRC as a guess`() async throws
    {
        let invites: [(members: JSONObject, isGuess: JSONValue, link: String)] = [
            (["aliases": ["X-Call-ID: c-1"]], false, "(by X-Call-ID)"),
            ([:], true, "(a guess, by the same SSRC 4711)"),
        ]
        for invite in invites {
            try await Sidetone.run { sidetone in
                for index in 1...4 { _ = try await sidetone.post("/v1/calls/c-1/stats", Samples.report(index)) }
                _ = try await sidetone.post(
                    "/v1/wire", Samples.sip("INVITE", at: 0, call: "w", members: invite.members))
                _ = try await sidetone.post("/v1/wire", Samples.wire(3, call: "w"))
                let record = try await sidetone.get("/v1/calls/c-1").json["records"][0]
                #expect(record["relatedCalls"].elements.map { $0["callId"] } == ["w"])
                #expect(record["relatedCalls"].elements.map { $0["isGuess"] } == [invite.isGuess])
                let report = try await sidetone.get("/v1/calls/c-1/report?format=json").json["records"][0]
                #expect(report["otherObservers"].elements.map { $0["observer"] } == ["wire:caller"])
                #expect(report["otherObservers"].elements.map { $0["isGuess"] } == [invite.isGuess])
                let text = try await sidetone.get("/v1/calls/c-1/report").text
                #expect(text.contains("wire:caller of w \(invite.link)"), "\(text)")
            }
        }
    }
}
