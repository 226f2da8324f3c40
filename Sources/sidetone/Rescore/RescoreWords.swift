import CallModel
import Collector
import Foundation

/// What `sidetone rescore` says in the end.
struct RescoreWords {
    let database: String
    let tally: RescoreTally

    var text: String {
        guard tally.done > 0 else { return "\(database): nothing to do; every record is of this version's rules" }
        var lines = ["\(database): derived \(Self.records(tally.records)) anew; \(scores)"]
        if let largest = tally.largest {
            let name = "\(largest.key.identity.call.rawValue), \(largest.key.observer.rawValue)"
            lines.append("largest change: \(largest.before) to \(largest.after), call \(name)")
        }
        if tally.gone > 0 { lines.append("\(Self.records(tally.gone)) had been removed meanwhile") }
        lines += tally.failures.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, failure in
            "\(Self.records(failure.count)) not derived (such as call \(failure.example.identity.call.rawValue)): \(reason)"
        }
        return lines.joined(separator: "\n")
    }

    private var scores: String {
        var parts: [String] = []
        if let mean = tally.meanChange {
            parts.append("\(tally.changes) scores changed, by \(String(format: "%.1f", mean)) points on average")
        }
        if tally.scoresGained > 0 { parts.append("\(tally.scoresGained) have a score that had none") }
        if tally.scoresLost > 0 { parts.append("\(tally.scoresLost) have none that had one") }
        return parts.isEmpty ? "no score changed" : parts.joined(separator: ", ")
    }

    static func progress(database: String, left: Int, of records: Int) -> String {
        let what = "\(database) is open in a running sidetone"
        guard left > 0 else { return "\(what): nothing is left; every record is of this version's rules" }
        return """
            \(what), which derives outdated records anew by itself while it serves
            (unless started with --no-rescore): \(left) of \(Self.records(records)) left
            """
    }

    private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}
