import CallModel

/// A detector that concludes from what other parts of the fold have found out already.
struct CallDetector: Sendable {
    let kind: IssueKind
    /// The members or events that are read.
    let members: [String]
    /// Where the levels come from.
    let source: String
    /// The issues so far.
    let find: @Sendable (IssueFacts) -> [CallIssue]
}
