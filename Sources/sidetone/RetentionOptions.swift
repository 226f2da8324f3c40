import ArgumentParser
import CallModel

/// How long calls are kept in the database.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep at most so many calls of each tenant; the least recently active go first.", valueName: "n"))
    var keepCalls = 10_000

    @Option(help: ArgumentHelp("Also remove calls without activity for so many days.", valueName: "days"))
    var keepDays: Double?

    func validate() throws {
        guard keepCalls >= 1 else {
            throw ValidationError("--keep-calls is \(keepCalls); expected a whole number of at least 1")
        }
        guard keepDays.map({ $0 > 0 && $0 <= 36_500 }) ?? true else {
            throw ValidationError("--keep-days is \(keepDays ?? 0); expected a number above 0 and at most 36500")
        }
    }

    /// What the options say.
    var retention: Retention {
        Retention(calls: keepCalls, milliseconds: keepDays.map { Int64(($0 * 86_400_000).rounded()) })
    }
}
