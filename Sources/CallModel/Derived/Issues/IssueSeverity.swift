/// How much an issue matters.
public enum IssueSeverity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Worth knowing; few will have noticed.
    case notice
    /// Heard or seen.
    case warning
    /// The call could hardly be used meanwhile.
    case critical
}

extension IssueSeverity: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .notice: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
