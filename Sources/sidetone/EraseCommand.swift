import ArgumentParser
import CallModel
import Foundation
import Logging
import SQLiteStore

/// `sidetone erase`: removes calls for good, from a file that no other program writes to or from ClickHouse.
struct EraseCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase calls for good, with all that was stored of them.",
        usage: "sidetone erase [<options>] <id> ...",
        discussion: """
            What DELETE /v1/calls/{callId} does at a server, by hand, while no sidetone has \
            the database open. The id stays, with the names of the observers, so that what \
            comes late does not bring the call back. Backups are not touched.

            From ClickHouse, at any time, whichever servers shipped it; those that run remove \
            it from their own files within half a minute.

            Examples:
              sidetone erase A551CA43-D015-4644-8BA4-432C7ECC572F
              sidetone erase --store clickhouse://sidetone@ch1:8123/calls A551CA43-94A6
            """)

    @Argument(help: ArgumentHelp("The identifiers of the calls.", valueName: "id"))
    var calls: [String]

    @Option(help: ArgumentHelp("Whose calls they are.", valueName: "name"))
    var tenant = TenantID.default.rawValue

    @Option(
        help: ArgumentHelp("The file that calls are kept in. (default: \(Database.defaultPath))", valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A ClickHouse database instead, clickhouse://user@host:8123/name; the user's password comes from \
            SIDETONE_CLICKHOUSE_PASSWORD.
            """, valueName: "address"))
    var store: String?

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func validate() throws {
        guard let store else { return }
        guard database == nil else {
            throw ValidationError("--database and --store contradict each other; give one of them")
        }
        _ = try StoreAddress(store)
    }

    func run(_: Sensor?, _ logger: Logger) async throws {
        let store = try await opened()
        var missing: [String] = []
        do {
            for call in calls {
                let identity = CallIdentity(tenant: TenantID(rawValue: tenant), call: CallID(rawValue: call))
                let records = try await store.erase(identity, now: Clock.now())
                if records == 0 { missing.append(call) }
                guard records > 0 else { continue }
                logger.notice("a call was erased", metadata: ["records": "\(records)", "tenant": "\(tenant)"])
            }
            try await store.close()
        } catch let error as CallStoreError {
            try? await store.close()
            throw ServeError.database(error)
        }
        print("\(place): erased \(calls.count - missing.count) of \(calls.count) calls")
        guard missing.isEmpty else { throw NoSuchCalls(calls: missing, place: place) }
    }

    private var path: String { database ?? Database.defaultPath }

    /// Where calls are erased from.
    private var place: String { store ?? path }

    private func opened() async throws -> any CallStore {
        if let store { return try await Database.open(StoreAddress(store), as: "erase") }
        guard FileManager.default.fileExists(atPath: path) else {
            throw ServeError.database(.cannotOpen(path, reason: "there is no such file"))
        }
        return try Database.open(path)
    }
}

/// Calls that are not there to be erased.
private struct NoSuchCalls: Error, CustomStringConvertible {
    let calls: [String]
    let place: String

    var description: String { "\(place) has no call \(calls.joined(separator: ", "))" }
}
