/// The forms a report can be given in.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// For people: 80 columns of UTF-8; see ``TextReport``.
    case text
    /// For programs; see ``JSONReport``.
    case json
}
