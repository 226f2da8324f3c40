/// How a text report looks.
public struct TextStyle: Hashable, Sendable {
    /// The zone clock times are shown in.
    public enum TimeZone: Hashable, Sendable {
        case utc
    }

    /// No line is longer. Less than 80 counts as 80.
    public var columns: Int
    /// Whether to mark bands and headings with ANSI colours. They repeat what the text says already.
    public var isColoured: Bool
    /// The zone that moments are shown in.
    public var timeZone: TimeZone

    public init(columns: Int = 80, isColoured: Bool = false, timeZone: TimeZone = .utc) {
        self.columns = max(columns, 80)
        self.isColoured = isColoured
        self.timeZone = timeZone
    }
}
