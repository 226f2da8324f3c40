import CallModel
import Foundation
import TestSupport
import Testing

/// What one tenant does is nothing to another, whatever route it takes.
@Suite struct TenantTests {
    private static let reads = [
        "/v1/calls/c", "/v1/calls/c/report", "/v1/calls/c/report?format=json", "/v1/calls/c/series",
        "/v1/calls/c/events", "/v1/calls/c/facts", "/v1/calls/c/series?points=2", "/v1/calls/w", "/v1/calls/s-1",
    ]

    /// Everything that can be read of the calls of a tenant.
    private static func view(_ sidetone: Sidetone, as token: TestToken) async throws -> [String: String] {
        var view: [String: String] = [:]
        for path in reads + ["/v1/calls?limit=1000", "/v1/calls?q=c", "/v1/fleet"] {
            let reply = try await sidetone.get(path, as: token)
            view[path] = "\(reply.status) \(reply.text)"
        }
        return view
    }

    private static func post(_ sidetone: Sidetone, as token: TestToken, _ index: Int) async throws {
        let event = Samples.event(index, call: "c").dropLast() + #","sessionId":"s-1"}"#
        let replies = [
            try await sidetone.post("/v1/calls/c/stats", Samples.report(index), as: token),
            try await sidetone.post("/v1/calls/c/events", String(event), as: token),
            try await sidetone.post("/v1/events", Samples.event(index + 20, call: "c"), as: token),
            try await sidetone.post("/v1/calls/s-1/events", Samples.event(index + 21, call: "s-1"), as: token),
            try await sidetone.post("/v1/wire", Samples.wire(index, call: "w"), as: token),
            try await sidetone.post(
                "/v1/wire", Samples.sip("INVITE", at: Int64(index), call: "w", members: ["aliases": ["X-Call-ID: c"]]),
                as: token),
            try await sidetone.post("/v1/import?call=c", Samples.report(index + 5), as: token),
        ]
        for reply in replies { #expect(reply.status == 202, "\(reply.text)") }
    }

    /// Ends the call. Of one that goes on the report says, after three missed reports, for how long nothing was heard
    /// of it.
    private static func end(_ sidetone: Sidetone, as token: TestToken) async throws {
        let reply = try await sidetone.post("/v1/events", Samples.end(200, call: "c"), as: token)
        #expect(reply.status == 202, "\(reply.text)")
    }

    @Test func `a tenant neither sees nor changes nor erases what is another's`() async throws {
        let mine = try await TestToken(tenant: "a", scope: "ingest,read,admin")
        let other = try await TestToken(tenant: "b", scope: "ingest,read,admin")
        try await Sidetone.run(taking: [mine, other]) { sidetone, _ in
            let nothing = try await Self.view(sidetone, as: other)
            for index in 1...3 { try await Self.post(sidetone, as: mine, index) }
            try await Self.end(sidetone, as: mine)
            let before = try await Self.view(sidetone, as: mine)
            #expect(before["/v1/calls/c"]?.hasPrefix("200 ") == true)
            #expect(
                before["/v1/calls/w"]?.contains(#""callId":"c""#) == true, "the probe's call is tied to the client's")
            #expect(try await Self.view(sidetone, as: other) == nothing)
            for call in ["c", "w", "s-1"] {
                let reply = try await sidetone.delete("/v1/calls/\(call)", as: other)
                #expect(reply.status == 404 && reply.reason == "unknown_call")
            }
            #expect(try await Self.view(sidetone, as: mine) == before)

            for index in 11...12 { try await Self.post(sidetone, as: other, index) }
            try await Self.end(sidetone, as: other)
            #expect(try await Self.view(sidetone, as: mine) == before)
            let theirs = try await Self.view(sidetone, as: other)
            #expect(theirs["/v1/calls/c"]?.hasPrefix("200 ") == true)
            for call in ["c", "w", "s-1"] {
                let status = try await sidetone.delete("/v1/calls/\(call)", as: mine).status
                #expect([204, 410].contains(status))
            }
            #expect(try await Self.view(sidetone, as: other) == theirs)
            #expect(try await sidetone.get("/v1/calls/c", as: mine).status == 410)
            let late = try await sidetone.post("/v1/calls/c/stats", Samples.report(4), as: mine)
            #expect(late.status == 410)
            let ours = try await sidetone.post("/v1/calls/c/stats", Samples.report(13), as: other)
            #expect(ours.status == 202)
        }
    }

    @Test func `a page's cursor of one tenant shows another nothing`() async throws {
        let mine = try await TestToken(tenant: "a", scope: "ingest,read")
        let other = try await TestToken(tenant: "b", scope: "ingest,read")
        try await Sidetone.run(taking: [mine, other]) { sidetone, _ in
            for call in ["x", "y", "z"] {
                _ = try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(1), as: mine)
            }
            _ = try await sidetone.post("/v1/calls/theirs/stats", Samples.report(1), as: other)
            let page = try await sidetone.get("/v1/calls?limit=1", as: mine).json
            let cursor = try #require(page["next"].text)
            let rest = try await sidetone.get("/v1/calls?limit=10&cursor=\(cursor)", as: other).json
            #expect(rest["calls"].elements.allSatisfy { $0["callId"] == "theirs" })
        }
    }

    @Test func `what probes and files bring is let in with a token, from a file and when it has been mended`()
        async throws
    {
        let token = try await TestToken(tenant: "a", scope: "ingest,read")
        try await Sidetone.run(taking: [token]) { sidetone, tokens in
            let folder = tokens.deletingLastPathComponent()
            let (file, secret) = (folder.appending(path: "report.json"), folder.appending(path: "secret"))
            try Data(Samples.report(1).utf8).write(to: file)
            try Data("sdt_wrong\n".utf8).write(to: secret)
            let arguments = [
                "import", file.path, "--call", "c", "--post", sidetone.process.address, "--token-file", secret.path,
            ]
            let refused = try await SidetoneProcess.run(arguments)
            #expect(refused.status == 1 && refused.errors.contains("the token is not known here"), "\(refused.errors)")
            try Data("\(token.token)\n".utf8).write(to: secret)
            let taken = try await SidetoneProcess.run(arguments)
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try await sidetone.get("/v1/calls/c", as: token).status == 200)

            let capture = SharedData.packageRoot.appending(
                path: "SampleData/captures/s3-sipp-10calls-loss2/capture.pcap.gz"
            ).path
            let posted = try await SidetoneProcess.run([
                "capture", "-r", capture, "--post", sidetone.process.address, "--token-file", secret.path,
            ])
            #expect(posted.status == 0, "\(posted.errors)")
            let calls = try await sidetone.get("/v1/calls", as: token).json["calls"].elements
            #expect(calls.contains { $0["observer"].text?.hasPrefix("wire") == true })
        }
    }
}
