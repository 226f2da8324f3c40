import ArgumentParser
import CallModel
import Foundation
import Logging
import SQLiteStore

/// `sidetone erase`: removes calls for good from a database that no other program writes to.
struct EraseCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase calls for good, with all that was stored of them.",
        discussion: """
            What DELETE /v1/calls/{callId} does at a server, by hand, while no sidetone has
            the database open. The id alone stays, so that what comes late does not bring
            the call back. Backups are not touched.

            Example:
              sidetone erase A551CA43-D015-4644-8BA4-432C7ECC572F
            """)

    @Argument(help: ArgumentHelp("The identifiers of the calls.", valueName: "id"))
    var calls: [String]

    @Option(help: ArgumentHelp("Whose calls they are.", valueName: "name"))
    var tenant = TenantID.default.rawValue

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func run(_: Sensor?, _ logger: Logger) async throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw ServeError.database(.cannotOpen(database, reason: "there is no such file"))
        }
        let store = try Database.open(database)
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
            throw ServeError.database(error)
        }
        print("\(database): erased \(calls.count - missing.count) of \(calls.count) calls")
        guard missing.isEmpty else { throw NoSuchCalls(calls: missing, database: database) }
    }
}

/// Calls that are not there to be erased.
private struct NoSuchCalls: Error, CustomStringConvertible {
    let calls: [String]
    let database: String

    var description: String { "\(database) has no call \(calls.joined(separator: ", "))" }
}
