import ArgumentParser
import CallModel
import CallReport
import StandardStreams

/// `statsreport list`: the calls, a line each.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List calls, worst first.",
        discussion: """
            A line for each end that reported. Scores go from 0 to 100, 100 is a call with \
            nothing to complain of; "worst" is the score of the worst 5 % of the time. \
            Filters by score leave out calls without one.

            EXAMPLES
              statsreport list --max-score 69               calls below fair
              statsreport list --newest --state live        what is going on now
              statsreport list --since 2026-11-21 --until 2026-11-22T12:00Z
              statsreport list --outcome not-answered --since 7d --format json
              statsreport list --issue blackout --since 24h  calls with a blackout
            """)

    @Flag(help: "Latest start first; the same as --sort newest.")
    var newest = false

    @Option(help: "The order; calls without a score come last by score. (default: worst)")
    var sort: CallQuery.Sort?

    @Option(
        help: ArgumentHelp(
            "Only calls that started then or later: ISO 8601, or so long ago: 90s, 30m, 2h, 7d.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Only calls that started before then; as --since.", valueName: "time"))
    var until: TimeArgument?

    @Option(help: ArgumentHelp("Only calls with at least this score.", valueName: "0-100"))
    var minScore: Int?

    @Option(help: ArgumentHelp("Only calls with at most this score.", valueName: "0-100"))
    var maxScore: Int?

    @Option(help: "Only calls that are going on, or are not.")
    var state: CallFilter.State?

    @Option(help: "Only calls that came to this.")
    var outcome: CallOutcome?

    @Option(help: "Only calls with an issue of this kind (docs/issues.md).")
    var issue: IssueKind?

    @Option(help: ArgumentHelp("At most so many.", valueName: "1-1000"))
    var limit = 50

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if newest, let sort, sort != .newest {
            throw ValidationError("--newest and --sort \(sort.rawValue) contradict each other; give one of them.")
        }
        for score in [minScore, maxScore].compactMap({ $0 }) where !(0...100).contains(score) {
            throw ValidationError("A score is from 0 to 100, not \(score).")
        }
        if let minScore, let maxScore, minScore > maxScore {
            throw ValidationError("--min-score \(minScore) is above --max-score \(maxScore): no call can be both.")
        }
        guard (1...1000).contains(limit) else {
            throw ValidationError("--limit is from 1 to 1000, not \(limit).")
        }
    }

    func run() async throws {
        let now = Clock.now()
        let page = try await database.read { try await $0.calls(query(at: now)) }
        let list = CallList(page, at: now)
        switch output.format {
        case .text: try StandardOutput.write(list.text(style: output.style))
        case .json: try StandardOutput.write(list.json())
        }
    }

    private func query(at now: Timestamp) -> CallQuery {
        var query = CallQuery(
            tenant: TenantID(rawValue: database.tenant), sort: newest ? .newest : sort ?? .worst, limit: limit, now: now
        )
        query.filter.startedFrom = since?.timestamp(at: now)
        query.filter.startedBefore = until?.timestamp(at: now)
        query.filter.minimumScore = minScore
        query.filter.maximumScore = maxScore
        query.filter.state = state
        query.filter.outcomes = Set([outcome].compactMap(\.self))
        query.filter.issue = issue
        return query
    }
}
