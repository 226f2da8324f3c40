import CallModel
import Foundation
import SQLiteStore

/// What `backup`, `restore` and `check` say of a database.
enum UpkeepWords {
    /// How much is in it.
    static func contents(_ contents: DatabaseContents) -> String {
        let counts = contents.counts
        return [
            size(Int64(contents.bytes)), counted(counts.calls, "call"), counted(counts.records, "record"),
            counted(counts.facts, "fact"),
        ].joined(separator: ", ")
    }

    /// A record, as findings name it.
    static func name(of key: CallKey) -> String {
        "call \(key.identity.call.rawValue), \(key.observer.rawValue)"
    }

    /// What cannot be read of a record, with its name.
    static func finding(_ record: DamagedRecord) -> String {
        "\(name(of: record.key)): " + record.damage.map { "\($0.error)" }.joined(separator: "; ")
    }

    /// Bytes in the unit that suits them.
    static func size(_ bytes: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var value = Double(bytes) / 1024
        var unit = 0
        while value >= 1024, unit + 1 < units.count {
            value /= 1024
            unit += 1
        }
        return String(format: "%.1f ", value) + units[unit]
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
