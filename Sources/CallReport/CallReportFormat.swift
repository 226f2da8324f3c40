/// The forms in which the report of a call can be given.
public enum CallReportFormat: String, Hashable, Sendable, CaseIterable {
    /// For people: 80 columns of UTF-8; see ``TextReport``.
    case text
    /// For programs; see ``JSONReport``.
    case json
    /// For browsers: one file with drawings; see ``HTMLReport``.
    case html
}
