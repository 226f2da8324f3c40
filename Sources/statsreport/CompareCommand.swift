import ArgumentParser
import CallModel
import CallReport
import StandardStreams

/// `statsreport compare A B`: two calls side by side.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show two calls, or two ends or attempts of one, side by side.",
        usage: "statsreport compare [<options>] <a> [<b>]",
        discussion: """
            Every figure stands with what it was in either call and which of them is better, \
            and by how much. As JSON, the summaries are under "a" and "b", the figures under \
            "comparison".

            A call that several ends reported needs the name of one: --observer for both \
            calls, or --observer-a and --observer-b. With one identifier alone, its two ends \
            are compared, or what the options name.

            EXAMPLES
              statsreport compare A551CA43 B7720F31 --observer caller
              statsreport compare A551CA43                             its two ends
              statsreport compare A551CA43 --observer caller --attempt-a 1 --attempt-b 2
              statsreport compare A551CA43 B7720F31 --format json | jq .comparison.quality
            """)

    @Argument(help: ArgumentHelp("The identifier of the first call, A.", valueName: "a"))
    var first: String

    @Argument(help: ArgumentHelp("The identifier of the second call, B. (default: the same)", valueName: "b"))
    var second: String?

    @Option(help: ArgumentHelp("What this end saw, of both calls.", valueName: "name"))
    var observer: String?

    @Option(help: ArgumentHelp("What this end saw of A.", valueName: "name"))
    var observerA: String?

    @Option(help: ArgumentHelp("What this end saw of B.", valueName: "name"))
    var observerB: String?

    @Option(help: ArgumentHelp("Which use of the identifier A, from 1. (default: the last)", valueName: "number"))
    var attemptA: Int?

    @Option(help: ArgumentHelp("Which use of the identifier B, from 1. (default: the last)", valueName: "number"))
    var attemptB: Int?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for (name, attempt) in [("--attempt-a", attemptA), ("--attempt-b", attemptB)] {
            if let attempt, attempt < 1 { throw ValidationError("\(name) counts from 1, not \(attempt).") }
        }
        if observer != nil, observerA != nil || observerB != nil {
            throw ValidationError("--observer is for both calls; give it, or --observer-a and --observer-b.")
        }
    }

    func run() async throws {
        let now = Clock.now()
        let (a, b) = try await database.read { try await pair(in: $0) }
        let comparison = CallComparison(a, b, at: now)
        switch output.format {
        case .text: try StandardOutput.write(comparison.text(style: output.style))
        case .json: try StandardOutput.write(comparison.json())
        }
    }

    private func pair(in store: any CallStore) async throws -> (CallSummary, CallSummary) {
        let left = try await lookup(first, observerA, attemptA).summaries(in: store)
        if comparesEnds {
            guard left.count == 2 else {
                throw ReportError.notTwoRecords(first, records: CallLookup.names(left))
            }
            return (left[0], left[1])
        }
        let right = try await lookup(second ?? first, observerB, attemptB).summaries(in: store)
        let (a, b) = (try only(left, of: first, "a"), try only(right, of: second ?? first, "b"))
        guard a.key != b.key else { throw ReportError.sameRecord(CallLookup.names([a])[0], call: first) }
        return (a, b)
    }

    /// Whether the two ends of one call are meant.
    private var comparesEnds: Bool {
        second == nil && observer == nil && observerA == nil && observerB == nil && attemptA == nil && attemptB == nil
    }

    private func lookup(_ call: String, _ own: String?, _ attempt: Int?) -> CallLookup {
        CallLookup(call: call, observer: own ?? observer, attempt: attempt, database: database)
    }

    private func only(_ summaries: [CallSummary], of call: String, _ letter: String) throws -> CallSummary {
        guard summaries.count == 1, let summary = summaries.first else {
            throw ReportError.ambiguousRecord(
                call, records: CallLookup.names(summaries), option: "--observer-\(letter)")
        }
        return summary
    }
}
