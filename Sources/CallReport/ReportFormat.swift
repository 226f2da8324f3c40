/// The forms in which lists, comparisons and reports of files can be given.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// For people: 80 columns of UTF-8; see ``TextReport``.
    case text
    /// For programs; see ``JSONReport``.
    case json
}
