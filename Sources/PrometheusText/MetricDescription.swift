/// What a metric is called, and what it counts.
public struct MetricDescription: Hashable, Sendable {
    /// What a metric does over time.
    public enum Kind: Hashable, Sendable {
        /// Only grows, from 0 when the program starts.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts values by their size. The bounds are the largest value of each bucket, rising, without infinity.
        case histogram([Double])
    }

    /// Its name, with the unit: `sidetone_http_request_duration_seconds`.
    public let name: String
    /// One sentence on what it means, without line breaks.
    public let help: String
    /// What it does over time.
    public let kind: Kind
    /// The names of its labels, in the order in which they are shown.
    public let labels: [String]

    public init(_ name: String, _ kind: Kind, labels: [String] = [], _ help: String) {
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
    }

    /// The word of the text format for ``kind-swift.property``.
    public var type: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
