import ArgumentParser
import AsyncHTTPClient
import NIOCore
import Testing

@testable import sidetone

/// How long `sidetone healthcheck` waits, and what it says of no answer.
@Suite struct HealthcheckTests {
    /// Those who ask for a health count on an answer in time, whatever the server hangs in.
    @Test(arguments: [([], 5), (["--timeout-seconds=1"], 1), (["--timeout-seconds=60"], 60)] as [([String], Int64)])
    func `a connection is waited for as long as an answer, with TLS or without`(flags: [String], seconds: Int64) throws
    {
        for server in [[], ["--url=http://127.0.0.1:1"], ["--url=https://127.0.0.1:1"]] {
            let configuration = try HealthcheckCommand.parse(server + flags).clientConfiguration
            #expect(configuration.timeout.connect == .seconds(seconds))
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", "it closed the connection; perhaps it speaks https"),
        ("HTTP://127.0.0.1:1", "it closed the connection; perhaps it speaks https"),
        ("https://127.0.0.1:1", "it closed the connection"),
    ]) func `who ends a connection without TLS may want it`(url: String, words: String) {
        #expect(HTTPDelivery.words(for: HTTPClientError.remoteConnectionClosed, at: url) == words)
    }
}
