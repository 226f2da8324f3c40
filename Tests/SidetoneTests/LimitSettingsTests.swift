import Collector
import CollectorServer
import Testing

@testable import sidetone

/// Limits that depend on each other.
@Suite struct LimitSettingsTests {
    private func limits(_ variables: [String: String]) throws -> LimitSettings {
        LimitSettings(try SettingsReader(flags: [], environment: variables, file: nil).read())
    }

    @Test(arguments: [1_024, 2_000, 4 << 20, 1 << 30])
    func `the largest body finds room where nothing else waits, in however many pieces it comes`(bytes: Int) throws {
        let variables = ["SIDETONE_LIMITS_BODY_BYTES": "\(bytes)", "SIDETONE_LIMITS_WAITING_BYTES": "1024"]
        let limits = try limits(variables).limits
        #expect(limits.bodyBytes == bytes)
        var share = FairShare<String>(limit: limits.bytesInFlight)
        for piece in [1, bytes - 2, 1] {
            #expect(share.hasRoom(for: piece, of: "a"))
            share.take(piece, of: "a")
        }
    }

    @Test func `what may wait holds as many facts as a body may have events`() throws {
        let facts = try [nil, "49999", "50001", "1000000"].map { objects in
            try limits(objects.map { ["SIDETONE_LIMITS_OBJECTS": $0] } ?? [:]).waiting.waitingFacts
        }
        #expect(facts == [50_000, 50_000, 50_001, 1_000_000])
    }
}
