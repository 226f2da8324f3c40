import Testing

@testable import CollectorServer

/// What the log shows of paths at which there is nothing.
@Suite struct LoggedPathTests {
    @Test(arguments: [
        ("/v1/calls/alice/stat", "/v1/calls/…"), ("/v1//calls/alice/stat", "/v1/calls/…"),
        ("/v1/call/alice/stats", "/v1/call/…"), ("/calls/alice/report", "/calls/…"), ("//calls//alice", "/calls/…"),
        ("/v1/events/", "/v1/events"), ("/v1/event", "/v1/event"), ("/v1", "/v1"), ("/favicon.png", "/favicon.png"),
        ("/", "/"), ("", "/"), ("/v1/calls%2Falice", "/v1/calls/…"), ("/v1%2fcalls%2Falice/stats", "/v1/calls/…"),
    ])
    func `it ends where the id of a call may stand`(path: String, shown: String) {
        #expect(path.beginningOfPath == shown)
    }
}
