import CallModel

/// Makes rows of a series fewer, so that a drawing gets as many as it has room for.
///
/// Rows that begin in the same part of the span are joined to one, which says what it covers and keeps the least and the
/// most of every figure: nothing that was short and bad disappears. What lasts as long as a part and has no rows stays
/// without rows.
struct SeriesThinning: Sendable {
    /// The most rows; at least 1.
    let points: Int
    /// What the whole series covers.
    let span: ClosedRange<Timestamp>

    /// Rows with what is known only, in order of their start.
    func rows(_ rows: [Row]) -> [JSONValue] {
        guard rows.count > points else { return rows.map(\.value) }
        var joined: [Row] = []
        var last: Int?
        for row in rows {
            let part = part(of: row.start)
            if part == last, let before = joined.popLast() {
                joined.append(before.joined(with: row))
            } else {
                joined.append(row)
            }
            last = part
        }
        return joined.map(\.value)
    }

    private func part(of time: Timestamp) -> Int {
        let whole = Double(max(1, span.upperBound.milliseconds(since: span.lowerBound)))
        let share = Double(time.milliseconds(since: span.lowerBound)) / whole
        // Cut before it becomes a whole number, for a row may lie any time outside the span.
        return min(points - 1, Int(min(1, max(0, share)) * Double(points)))
    }
}

extension SeriesThinning {
    /// What is known of a span: figures, and the seconds of it that were on hold.
    struct Row: Sendable {
        var start: Timestamp
        var end: Timestamp
        var heldSeconds: Double
        /// The least and the most of each figure that is known.
        var figures: [String: ClosedRange<Double>]

        init(start: Timestamp, end: Timestamp, heldSeconds: Double, figures: [String: Double?]) {
            self.start = start
            self.end = end
            self.heldSeconds = heldSeconds
            self.figures = figures.compactMapValues { $0.flatMap { $0.isFinite ? $0...$0 : nil } }
        }

        func joined(with next: Row) -> Row {
            var row = self
            row.end = max(end, next.end)
            row.heldSeconds += next.heldSeconds
            row.figures.merge(next.figures) { first, second in
                min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
            }
            return row
        }

        /// A figure that does not vary is a number, any other `{"min", "max"}`.
        var value: JSONValue {
            var members = figures.mapValues { range -> JSONValue in
                guard range.lowerBound < range.upperBound else { return .double(range.lowerBound) }
                return ["min": .double(range.lowerBound), "max": .double(range.upperBound)]
            }
            members["start"] = JSONValue(start)
            members["end"] = JSONValue(end)
            members["heldSeconds"] = .double(heldSeconds)
            return .object(JSONObject(members))
        }
    }
}

extension MediaInterval {
    /// The figures that are drawn.
    var thinned: SeriesThinning.Row {
        SeriesThinning.Row(
            start: start, end: end, heldSeconds: heldSeconds,
            figures: [
                "packetsLost": packetsLost.map(Double.init), "lossPercent": lossPercent,
                "bitrateKilobitsPerSecond": bitrateKilobitsPerSecond,
                "targetKilobitsPerSecond": targetKilobitsPerSecond, "jitterMilliseconds": jitterMilliseconds,
                "roundTripMilliseconds": roundTripMilliseconds, "jitterBufferMilliseconds": jitterBufferMilliseconds,
                "concealedPercent": concealedPercent, "silentConcealedPercent": silentConcealedPercent,
                "stretchedPercent": stretchedPercent, "audioLevelDecibels": audioLevelDecibels,
                "framesPerSecond": framesPerSecond, "frozenSeconds": frozenSeconds,
                "frameHeightPixels": frameHeight.map(Double.init),
            ])
    }
}

extension ScoreInterval {
    /// The scores.
    var thinned: SeriesThinning.Row {
        SeriesThinning.Row(
            start: start, end: end, heldSeconds: heldSeconds,
            figures: [
                "score": score.map(Double.init), "audioScore": audioScore.map(Double.init),
                "videoScore": videoScore.map(Double.init),
            ])
    }
}
