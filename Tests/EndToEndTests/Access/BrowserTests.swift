import CallModel
import Foundation
import NIOHTTP1
import Testing

/// What browsers are told.
@Suite struct BrowserTests {
    private static let page = "https://app.example"

    @Test func `pages of named origins may use it, and are asked for no cookies`() async throws {
        let token = try await TestToken(tenant: "a", scope: "ingest,read")
        try await Sidetone.run(taking: [token], ["--cors-origin", Self.page]) { sidetone, _ in
            let ask = [
                "Origin": Self.page, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,content-type",
            ]
            let preflight = try await Sidetone.send(
                .OPTIONS, sidetone.process.address + "/v1/calls/c/stats", headers: ask)
            #expect(preflight.status == 204 && preflight.body.isEmpty)
            #expect(preflight.headers["access-control-allow-origin"] == Self.page)
            #expect(preflight.headers["access-control-allow-methods"] == "GET, POST, DELETE")
            let allowed = preflight.headers["access-control-allow-headers"]?.lowercased() ?? ""
            for name in ["authorization", "content-type", "content-encoding", "sidetone-observer", "x-request-id"] {
                #expect(allowed.contains(name))
            }
            #expect(preflight.headers["vary"] == "Origin")

            var headers = token.headers
            headers["Origin"] = Self.page
            let posted = try await sidetone.post("/v1/calls/c/stats", Samples.report(1), headers: headers)
            let refused = try await sidetone.request(.GET, "/v1/calls", headers: ["Origin": Self.page])
            for reply in [posted, refused] {
                #expect(reply.headers["access-control-allow-origin"] == Self.page)
                #expect(
                    reply.headers["access-control-expose-headers"]?.contains(
                        "Retry-After, WWW-Authenticate, X-Request-Id") == true)
                #expect(reply.headers["access-control-allow-credentials"] == nil)
            }
            #expect(posted.status == 202 && refused.status == 401)
        }
    }

    @Test(arguments: ["https://evil.example", "http://app.example", "https://app.example:8443", "null", ""])
    func `pages of other origins may neither read nor post`(origin: String) async throws {
        try await Sidetone.run(["--cors-origin", Self.page]) { sidetone in
            let headers = ["Origin": origin, "Content-Type": "text/plain"]
            let reply = try await sidetone.post("/v1/calls/c/stats", Samples.report(1), headers: headers)
            #expect(reply.status == 403 && reply.reason == "origin_not_allowed", "\(reply.text)")
            #expect(reply.headers["access-control-allow-origin"] == nil)
            let preflight = try await Sidetone.send(
                .OPTIONS, sidetone.process.address + "/v1/calls",
                headers: ["Origin": origin, "Access-Control-Request-Method": "GET"])
            #expect(preflight.status == 403 && preflight.headers["access-control-allow-origin"] == nil)
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
        }
    }

    /// As a module, or with a digest, a script is asked for with the page's origin.
    @Test(arguments: ["https://evil.example", "null"])
    func `pages of any origin may load the reporter, and nothing else`(origin: String) async throws {
        try await Sidetone.run(["--cors-origin", Self.page]) { sidetone in
            let address = sidetone.process.address
            // Files are not in the document that answers are held against.
            let reporter = try await Sidetone.send(.GET, address + "/reporter.js", headers: ["Origin": origin])
            #expect(reporter.status == 200)
            #expect(reporter.headers["access-control-allow-origin"] == "*")
            #expect(reporter.headers["cross-origin-resource-policy"] == "cross-origin")
            for path in ["/", "/assets/main.js", "/healthz", "/v1/calls", "/reporter.js/x"] {
                let reply = try await Sidetone.send(.GET, address + path, headers: ["Origin": origin])
                #expect(reply.status == 403 && reply.reason == "origin_not_allowed", "\(path): \(reply.text)")
                #expect(reply.headers["access-control-allow-origin"] == nil)
            }
            let named = try await Sidetone.send(.GET, address + "/reporter.js", headers: ["Origin": Self.page])
            #expect(named.status == 200 && named.headers["access-control-allow-origin"] == Self.page)
        }
    }

    @Test func `a page of the server itself needs no name`() async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.request(.GET, "/v1/calls", headers: ["Origin": sidetone.process.address])
            #expect(reply.status == 200 && reply.headers["access-control-allow-origin"] == nil)
        }
    }

    /// To the browser a page of `http://evil.example` that now stands for 127.0.0.1 is one of the server.
    @Test func `a page whose name was made to stand for this machine may neither read nor post`() async throws {
        try await Sidetone.run { sidetone in
            let page = ["Host": "evil.example:8080", "Origin": "http://evil.example:8080"]
            let posted = try await sidetone.post("/v1/calls/c/stats", Samples.report(1), headers: page)
            let read = try await sidetone.request(.GET, "/v1/calls", headers: ["Host": "evil.example"])
            for reply in [posted, read] {
                #expect(reply.status == 403 && reply.reason == "host_not_allowed", "\(reply.text)")
                #expect(reply.message.contains("evil.example"))
            }
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_ingest_rejected_total{reason="host_not_allowed"}"#] == 1)
        }
    }

    @Test(arguments: [
        ["--cors-origin", "https://calls.example"], ["--trusted-proxy", "127.0.0.1", "--no-authentication"],
    ])
    func `a proxy on this machine may pass on a name that is given, or is trusted`(arguments: [String]) async throws {
        try await Sidetone.run(arguments) { sidetone in
            let reply = try await sidetone.request(.GET, "/v1/calls", headers: ["Host": "calls.example"])
            #expect(reply.status == 200, "\(reply.text)")
        }
    }

    @Test func `where a token is needed, any name will do`() async throws {
        let token = try await TestToken(tenant: "a", scope: "read")
        try await Sidetone.run(taking: [token]) { sidetone, _ in
            var headers = token.headers
            headers["Host"] = "calls.example"
            let reply = try await sidetone.request(.GET, "/v1/calls", headers: headers)
            #expect(reply.status == 200)
        }
    }

    @Test(arguments: ["/", "/healthz", "/openapi.json", "/v1/calls", "/v1/calls/nobody", "/nowhere"])
    func `every answer forbids what nobody meant`(path: String) async throws {
        try await Sidetone.run { sidetone in
            let headers = try await sidetone.get(path).headers
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["cache-control"] == "no-store")
            #expect(headers["strict-transport-security"] == nil)
        }
    }

    @Test(arguments: [
        "app.example", "https://app.example/", "https://app.example:443", "ftp://a", "*", "null", "https://*.example",
    ])
    func `an origin that no browser would send is refused`(origin: String) async throws {
        let ended = try await SidetoneProcess.run(["serve", "--cors-origin", origin])
        #expect(ended.status == 64 && ended.errors.contains("--cors-origin is \"\(origin)\""), "\(ended.errors)")
    }
}
