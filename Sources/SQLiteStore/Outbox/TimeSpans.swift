/// A few spans of time that cover some moments, and as little else as they can.
struct TimeSpans: Hashable, Sendable {
    /// In order, apart from each other; in ms.
    private(set) var spans: [ClosedRange<Int64>] = []

    /// Moments that are not further apart, in ms, are covered by one span: a minute.
    private static let gap: UInt64 = 60_000
    /// More spans than this become so many, those that are nearest to each other united.
    private static let most = 8

    /// All of time.
    static let all = TimeSpans([.min ... .max])

    var isEmpty: Bool { spans.isEmpty }

    init(_ moments: some Sequence<Int64>) {
        self.init(moments.map { $0...$0 })
    }

    private init(_ spans: [ClosedRange<Int64>]) {
        self.spans = Self.united(spans)
    }

    mutating func formUnion(_ other: TimeSpans) {
        guard !other.isEmpty else { return }
        spans = Self.united(spans + other.spans)
    }

    private static func united(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        let sorted = spans.sorted { $0.lowerBound < $1.lowerBound }
        guard var last = sorted.first else { return [] }
        var apart: [ClosedRange<Int64>] = []
        for span in sorted.dropFirst() {
            if distance(last, span) <= gap {
                last = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                apart.append(last)
                last = span
            }
        }
        return nearestUnited(apart + [last])
    }

    /// Keeps the widest gaps.
    private static func nearestUnited(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        guard spans.count > most else { return spans }
        let gaps = zip(spans, spans.dropFirst()).map(distance)
        let kept = Set(gaps.indices.sorted { (gaps[$0], $0) > (gaps[$1], $1) }.prefix(most - 1))
        var united: [ClosedRange<Int64>] = []
        var first = spans[0].lowerBound
        for index in spans.indices where kept.contains(index) || index == spans.indices.last {
            united.append(first...spans[index].upperBound)
            if index + 1 < spans.count { first = spans[index + 1].lowerBound }
        }
        return united
    }

    /// From the end of one span to the start of a later one; 0 when they overlap. Does not overflow.
    private static func distance(_ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>) -> UInt64 {
        guard right.lowerBound > left.upperBound else { return 0 }
        return UInt64(bitPattern: right.lowerBound &- left.upperBound)
    }
}

extension TimeSpans: LosslessStringConvertible {
    /// As a column keeps them: `from:to`, with commas between.
    var description: String { spans.map { "\($0.lowerBound):\($0.upperBound)" }.joined(separator: ",") }

    init?(_ description: String) {
        guard !description.isEmpty else { return }
        var spans: [ClosedRange<Int64>] = []
        for part in description.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
            guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else { return nil }
            spans.append(first...last)
        }
        self.spans = spans
    }
}
