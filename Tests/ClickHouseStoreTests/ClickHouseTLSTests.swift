import Foundation
import TestSupport
import Testing

@testable import ClickHouseStore

/// A server that is spoken to over TLS, with a certificate that no authority of the system vouches for.
@Suite(ClickHouseServers.required) struct ClickHouseTLSTests {
    private func location(_ servers: ClickHouseServers, authorities: String?) throws -> ClickHouseLocation {
        var parts = try #require(URLComponents(string: servers.address("node-tls")))
        parts.queryItems?.removeAll { $0.name == "ca" }
        if let authorities { parts.queryItems?.append(URLQueryItem(name: "ca", value: authorities)) }
        return try ClickHouseLocation(try #require(parts.string), password: nil)
    }

    @Test func `a server is trusted by the authorities that the address names, and by no others`() async throws {
        try await ClickHouseServers.with { servers in
            let trusted = try ClickHouseLocation(servers.address("node-tls"), password: nil)
            try await ClickHouseClient.with(trusted) { client in
                var reader = try await client.rows("SELECT toUInt64(7)")
                #expect(try reader.uint64() == 7)
            }
            let error = try await #require(throws: ClickHouseError.self) {
                try await ClickHouseClient.connect(location(servers, authorities: nil))
            }
            #expect(error.kind == .retry)
            #expect(error.message.contains("its certificate is not trusted"), "\(error)")
        }
    }

    @Test func `authorities that cannot be read are for the operator`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "authorities-\(UUID().uuidString).pem")
        try Data("nobody\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for path in [file.path, file.path + ".gone"] {
            let location = try ClickHouseLocation("clickhouse://127.0.0.1:1?secure=1&ca=\(path)", password: nil)
            let error = try await #require(throws: ClickHouseError.self) {
                try await ClickHouseClient.connect(location)
            }
            #expect(error.kind == .operator)
            #expect(error.message.hasPrefix("the certificates of authorities in \(path) cannot be read"), "\(error)")
        }
    }
}
