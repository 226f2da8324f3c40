import TestSupport

@testable import ClickHouseStore

extension TestClickHouse {
    /// A client of an empty database of its own.
    func withClient<Result>(_ body: (ClickHouseClient) async throws -> Result) async throws -> Result {
        try await withDatabase { try await ClickHouseClient.with(ClickHouseLocation($0, password: nil), body) }
    }
}

extension ClickHouseClient {
    /// A client that is closed afterwards, whatever happens.
    static func with<Result>(
        _ location: ClickHouseLocation, _ body: (ClickHouseClient) async throws -> Result
    ) async throws -> Result {
        let client = try await connect(location)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}
