/// How a text report looks.
public struct TextStyle: Hashable, Sendable {
    /// No line is longer. Less than 80 counts as 80.
    public var columns: Int
    /// Whether to mark bands and headings with ANSI colours. They repeat what the text says already.
    public var isColoured: Bool

    public init(columns: Int = 80, isColoured: Bool = false) {
        self.columns = max(columns, 80)
        self.isColoured = isColoured
    }
}
