import CallModel
import SQLiteStore

/// What `sidetone check` says in the end.
struct CheckWords {
    let file: String
    let look: DatabaseCheck
    /// What came of the records; `nil` when none was derived anew.
    var tally: AuditTally?

    /// Findings of one kind that are printed.
    private static let mostPrinted = 10

    var isSound: Bool { look.isSound && (tally?.unlike ?? 0) == 0 }

    /// Whether all that is wrong follows from facts that are sound.
    var isMendable: Bool {
        let damage = (look.contents?.damaged ?? []).flatMap(\.damage)
        return look.isConsistent && damage.allSatisfy(\.part.isDerived) && (tally?.failed ?? 0) == 0
    }

    var text: String {
        guard let contents = look.contents else {
            return (["\(file): damaged"] + list(look.damage)).joined(separator: "\n")
        }
        var lines = ["\(file): \(UpkeepWords.contents(contents))"]
        lines.append(
            row("schema", contents.isOfEarlierVersion ? earlier(contents) : "\(contents.schemaVersion), current"))
        lines.append(row("pages and indices", "sound"))
        lines.append(row("references", look.danglingRows.isEmpty ? "sound" : "broken"))
        lines += list(look.danglingRows)
        if look.emptyRecords > 0 {
            lines.append(row("facts", "\(UpkeepWords.counted(look.emptyRecords, "record")) without a fact"))
        }
        if !contents.isOfEarlierVersion { lines += values(of: contents) }
        return (lines + derived(of: contents)).joined(separator: "\n")
    }

    private func earlier(_ contents: DatabaseContents) -> String {
        "\(contents.schemaVersion), of an older sidetone; \"sidetone serve\" brings it up to date"
    }

    private func values(of contents: DatabaseContents) -> [String] {
        let damaged = contents.damaged
        guard !damaged.isEmpty else { return [row("stored values", "sound")] }
        let records = UpkeepWords.counted(damaged.count, "record")
        return [row("stored values", "\(records) cannot be read whole")] + list(damaged.map(UpkeepWords.finding))
    }

    private func derived(of contents: DatabaseContents) -> [String] {
        guard let tally else { return [] }
        let total = contents.counts.records
        var lines = [row("derived anew", "\(tally.done) of \(UpkeepWords.counted(total, "record")), \(result(tally))")]
        if tally.notDue > 0 {
            lines.append(row("", "\(tally.notDue) not compared: they wait to be derived anew anyway"))
        }
        return lines + list(tally.examples)
    }

    private func result(_ tally: AuditTally) -> String {
        guard tally.unlike == 0 else { return "\(tally.unlike) not as stored" }
        return tally.same > 0 ? "all as stored" : "none compared"
    }

    private func row(_ name: String, _ value: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, 20 - name.count)) + value
    }

    private func list(_ findings: [String]) -> [String] {
        let shown = findings.prefix(Self.mostPrinted).map { "    \($0)" }
        let rest = findings.count - shown.count
        return rest > 0 ? shown + ["    and \(rest) more"] : shown
    }
}
