import ArgumentParser
import CallModel
import SQLiteStore
import Testing

@testable import sidetone

/// What commands that have to do with another store make of their flags and settings.
@Suite struct ShippingOptionsTests {
    /// The database of a server, or of many, must not lose what its settings keep.
    @Test(arguments: [[], ["--store=clickhouse://host/calls"]])
    func `an import removes nothing unless it is told to`(place: [String]) throws {
        func retention(_ flags: String...) throws -> Retention {
            try ImportCommand.parse(["file"] + place + flags).retention
        }
        #expect(try retention() == Retention(calls: .max))
        #expect(try retention("--keep-calls=5") == Retention(calls: 5))
        #expect(try retention("--keep-days=1") == Retention(calls: .max, milliseconds: 86_400_000))
    }

    @Test(arguments: [
        ("--keep-days=1e300", "expected a number above 0 and at most 36500"),
        ("--keep-days=nan", "expected a number above 0 and at most 36500"),
        ("--keep-days=inf", "expected a number above 0 and at most 36500"),
        ("--keep-days=-1", "expected a number above 0 and at most 36500"),
        ("--keep-calls=0", "expected a whole number of at least 1"),
        ("--keep-calls=-3", "expected a whole number of at least 1"),
    ])
    func `an import is not told to remove every call`(flag: String, expected: String) throws {
        let error = #expect(throws: (any Error).self) { try ImportCommand.parse(["file", flag]) }
        #expect(error.map { ImportCommand.message(for: $0) }?.contains(expected) == true)
    }

    @Test(arguments: [1e300, .infinity, .nan, -.infinity])
    func `days that no number of milliseconds can be are all days`(days: Double) {
        #expect(Retention(calls: 5, days: days) == Retention(calls: 5, milliseconds: .max))
    }

    @Test func `what waits is bounded by what the settings say`() throws {
        func spool(_ environment: [String: String]) throws -> SpoolSettings {
            ServeSettings(try SettingsReader(flags: [], environment: environment, file: nil).read()).shipping.spool
        }
        #expect(try spool([:]) == SpoolSettings(maximumBytes: 20_000_000_000, whenFull: .refuse))
        let environment = ["SIDETONE_SPOOL_BYTES": "5000", "SIDETONE_SPOOL_WHEN_FULL": "drop-oldest"]
        #expect(try spool(environment) == SpoolSettings(maximumBytes: 5_000, whenFull: .dropOldest))
        #expect(throws: ConfigurationError.self) { try spool(["SIDETONE_SPOOL_BYTES": "0"]) }
    }

    @Test func `a migration that is refused records says how many, and names one with the reason`() {
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "a")),
            observer: ObserverID(rawValue: "caller"), attempt: 1)
        #expect(
            MigrationFailure.refused(RecordSetAside(key: key, reason: "odd"), of: 3).description
                == "3 records were not taken, the others were; the first: a (caller): odd")
    }
}
