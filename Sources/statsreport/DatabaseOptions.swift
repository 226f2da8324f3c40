import ArgumentParser
import CallModel
import SQLiteStore

/// Where to read.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database that sidetone writes.", valueName: "file"))
    var database = "calls.sqlite"

    @Option(help: ArgumentHelp("Whose calls, where the server takes tokens.", valueName: "name"))
    var tenant = TenantID.default.rawValue

    /// Runs `body` with the store open for reading, and closes it whatever happens.
    func read<Result>(_ body: (any CallStore) async throws -> Result) async throws -> Result {
        let store = try SQLiteCallStore.openReadOnly(path: database)
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            // The first error says what went wrong; one from closing would only hide it.
            try? await store.close()
            throw error
        }
    }
}
