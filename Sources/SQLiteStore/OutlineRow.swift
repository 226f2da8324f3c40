import CallModel
import GRDB
import StoreParts

/// A row of `outline`.
struct OutlineRow: Sendable {
    private let outline: CallOutline
    private let codecs: String
    private let issues: String

    init(_ summary: CallSummary) {
        outline = CallOutline(summary)
        codecs = StoredJSON.text(of: outline.codecs)
        issues = StoredJSON.text(of: outline.issues.map(\.rawValue))
    }

    /// Writes the row, in place of the one that the record has.
    func save(_ db: Database, record: Int64) throws {
        try db.run(Self.insert, [record] + StatementArguments(values))
    }

    /// The columns beside the id of the record.
    static let names = [
        "score", "worstScore", "outcome", "setupMilliseconds", "durationMilliseconds", "leadingCause", "isRelayed",
        "codecs", "issues", "client",
    ]

    /// In the order of ``names``.
    var values: [(any DatabaseValueConvertible)?] {
        [
            outline.score, outline.worstScore, outline.outcome.rawValue, outline.setupMilliseconds,
            outline.durationMilliseconds, outline.leadingCause?.rawValue, outline.isRelayed, codecs, issues,
            outline.client,
        ]
    }

    private static let insert = """
        INSERT OR REPLACE INTO outline (recordId, \(names.joined(separator: ", ")))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
