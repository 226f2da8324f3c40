import CallModel
import GRDB

/// The records that a filter means, as `FROM` and `WHERE`: tables `record` and `outline`.
struct RecordChoice: Sendable {
    private var conditions = ["record.tenant = ?", ClaimRow.isCall]
    private(set) var arguments: StatementArguments
    /// What was not heard of since is over: the rule of ``CallSummary/isLive(at:silenceLimitMilliseconds:)``, with
    /// ``CallSummary/closedAt`` in the column `endedAt`.
    let silence: Int64

    /// ``CallSummary/outcome(isLive:)``; takes ``silence``.
    static let outcome = """
        iif(outline.outcome = 'notAnswered' AND record.endedAt IS NULL AND record.lastReceivedAt > ?, 'unknown',
        outline.outcome)
        """

    /// Whether all of a record's outline can be understood.
    static let isOutlineLegible = "(json_valid(outline.codecs) AND json_valid(outline.issues))"

    /// A list of the outline; an empty one where it is no JSON, over which every query that reads it would fail.
    static func list(_ column: String) -> String {
        "iif(json_valid(outline.\(column)), outline.\(column), '[]')"
    }

    init(_ filter: CallFilter) {
        silence = filter.now.advanced(byMilliseconds: -CallSummary.silenceLimitMilliseconds).milliseconds
        arguments = [StoredText.encode(filter.tenant.rawValue)]
        requireTimes(filter)
        requireQuality(filter)
        requireSetup(filter)
        requireNames(filter)
    }

    /// Records come first, so that an index of theirs gives the order where there is one.
    ///
    /// A further `table` is joined last.
    func clause(joining table: String? = nil) -> String {
        """
        FROM record CROSS JOIN outline ON outline.recordId = record.id\(table.map { " CROSS JOIN " + $0 } ?? "")
        WHERE \(conditions.joined(separator: " AND "))
        """
    }

    /// Adds a condition that must hold, too.
    mutating func require(_ condition: String, _ values: StatementArguments = []) {
        conditions.append(condition)
        arguments += values
    }

    private mutating func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        require(condition, [value])
    }

    private mutating func requireTimes(_ filter: CallFilter) {
        require("record.start >= ?", filter.startedFrom?.milliseconds)
        require("record.start < ?", filter.startedBefore?.milliseconds)
        switch filter.state {
        case .live: require("record.endedAt IS NULL AND record.lastReceivedAt > ?", silence)
        case .ended: require("(record.endedAt IS NOT NULL OR record.lastReceivedAt <= ?)", silence)
        case nil: break
        }
    }

    private mutating func requireQuality(_ filter: CallFilter) {
        require("outline.score >= ?", filter.minimumScore)
        require("outline.score <= ?", filter.maximumScore)
        require("(outline.score IS NOT NULL) = ?", filter.isScored)
        require("outline.worstScore <= ?", filter.maximumWorstScore)
        switch filter.leading {
        case .cause(let cause): require("outline.leadingCause = ?", cause.rawValue)
        case .nothing: require("outline.leadingCause IS NULL")
        case nil: break
        }
        require("EXISTS (SELECT 1 FROM json_each(\(Self.list("issues"))) WHERE value = ?)", filter.issue?.rawValue)
    }

    private mutating func requireSetup(_ filter: CallFilter) {
        if !filter.outcomes.isEmpty {
            let places = Array(repeating: "?", count: filter.outcomes.count).joined(separator: ", ")
            require(
                "\(Self.outcome) IN (\(places))",
                [silence] + StatementArguments(filter.outcomes.map(\.rawValue).sorted()))
        }
        require("outline.setupMilliseconds >= ?", filter.setupFromMilliseconds)
        require("outline.setupMilliseconds < ?", filter.setupBeforeMilliseconds)
        switch filter.relay {
        case .relayed: require("outline.isRelayed = 1")
        case .direct: require("outline.isRelayed = 0")
        case .unknown: require("outline.isRelayed IS NULL")
        case nil: break
        }
        if let codec = filter.codec {
            require(
                """
                EXISTS (SELECT 1 FROM json_each(\(Self.list("codecs"))) WHERE value = ? COLLATE NOCASE
                OR (instr(value, '/') > 0 AND substr(value, instr(value, '/') + 1) = ? COLLATE NOCASE))
                """, [codec, codec])
        }
    }

    private mutating func requireNames(_ filter: CallFilter) {
        if let client = filter.client {
            require(
                """
                (outline.client = ? COLLATE NOCASE
                OR substr(outline.client, 1, length(?) + 1) = ? || ' ' COLLATE NOCASE)
                """, [client, client, client])
        }
        require("record.observer = ?", (filter.observer?.rawValue).map(StoredText.encode))
        guard let text = filter.text, !text.isEmpty else { return }
        let tenant = StoredText.encode(filter.tenant.rawValue)
        let pattern = Self.pattern(of: StoredText.encode(text))
        require(
            """
            record.id IN (
            SELECT id FROM record r WHERE r.tenant = ? AND r.callId LIKE ? ESCAPE '!'
            UNION SELECT recordId FROM name
            WHERE tenant = ? AND kind IN ('header', 'userToUser') AND name LIKE ? ESCAPE '!'
            UNION SELECT r.id FROM claim c JOIN record r \(ClaimRow.ofRecord)
            WHERE c.tenant = ? AND c.session LIKE ? ESCAPE '!')
            """, [tenant, pattern, tenant, pattern, tenant, pattern])
    }

    /// Signs that stand for any text are meant as they are written.
    private static func pattern(of text: String) -> String {
        "%" + text.replacing("!", with: "!!").replacing("%", with: "!%").replacing("_", with: "!_") + "%"
    }
}
