import CallModel

/// One issue that a ``LevelDetector`` found.
struct LevelRecord: Hashable, Codable {
    let detector: String
    let stream: StreamKey?
    let connection: String
    var start: Timestamp
    var end: Timestamp
    var isOpen = true
    var worst: Double
    /// Sums over the span.
    var amount = 0.0
    var base = 0.0
    var explained = 0.0
    var context = IssueContext()
}
