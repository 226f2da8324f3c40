import CallModel
import JSONText
import StoreParts

/// Intervals and scores as `derived.content` holds them, a JSON object:
///
/// - `metrics`: the names of ``StreamMetric`` that some interval has;
/// - `intervals`: of each an array of end, direction, kind, connection, source, start, segment, seconds on hold, the members
///   of ``IntervalRow/wholes`` and those of ``IntervalRow/reals``, and an array of figures in the order of `metrics`;
/// - `scores`: of each an array of series, start, end, score, that of audio, that of video, costs, why there is none,
///   missing members, seconds on hold, whether clients are told, and rating.
///
/// The views `interval` and `score` name these places. What is new in an array comes last.
enum DerivedContent {
    static func text(_ intervals: [MediaInterval], _ scores: [ScoreInterval]) -> String {
        let known = intervals.reduce(into: Set<StreamMetric>()) { $0.formUnion($1.metrics.keys) }
        let metrics = StreamMetric.allCases.filter(known.contains)
        var places = PlaceWriter()
        places.open("{\"metrics\":[")
        for metric in metrics { places.put(metric.rawValue) }
        places.close("],\"intervals\":[")
        for interval in intervals { places.put(interval, metrics) }
        places.close("],\"scores\":[")
        for score in scores { places.put(score) }
        places.close("]}")
        return String(decoding: places.text.bytes, as: UTF8.self)
    }

    /// - Throws: when the text is none that ``text(_:_:)`` makes.
    static func rows(of text: String) throws -> (intervals: [MediaInterval], scores: [ScoreInterval]) {
        let content = try StoredJSON.value(of: text)
        let metrics = try list("metrics", of: content).map { $0.text.flatMap(StreamMetric.init(rawValue:)) }
        let intervals = try list("intervals", of: content).map { value in
            var places = try PlaceReader(value)
            return try places.interval(metrics)
        }
        return (intervals, try scores(of: content))
    }

    /// - Throws: as ``rows(of:)``.
    static func scores(of text: String) throws -> [ScoreInterval] {
        try scores(of: StoredJSON.value(of: text))
    }

    private static func scores(of content: JSONValue) throws -> [ScoreInterval] {
        try list("scores", of: content).map { value in
            var places = try PlaceReader(value)
            return try places.score()
        }
    }

    private static func list(_ name: String, of content: JSONValue) throws -> [JSONValue] {
        guard case .array(let values)? = content.members?[name] else {
            throw StoredValueError.notExpected(content.canonicalText)
        }
        return values
    }
}

// MARK: - Writing

/// Writes values one behind the other, with commas between them.
private struct PlaceWriter {
    private(set) var text = JSONWriter(expectedBytes: 4_096)
    private var isFirst = true

    mutating func open(_ mark: StaticString) {
        next()
        text.write(mark: mark)
        isFirst = true
    }

    mutating func close(_ mark: StaticString) {
        text.write(mark: mark)
        // What comes behind the end of a list begins another one.
        isFirst = mark.utf8Start[mark.utf8CodeUnitCount - 1] == UInt8(ascii: "[")
    }

    private mutating func next() {
        if !isFirst { text.write(mark: ",") }
        isFirst = false
    }

    mutating func put(_ value: String?) {
        next()
        if let value { text.write(text: value) } else { text.write(mark: "null") }
    }

    mutating func put(_ value: Int?) {
        next()
        if let value { text.write(integer: Int64(value)) } else { text.write(mark: "null") }
    }

    /// Infinities and NaN, which JSON lacks, are spelled out.
    mutating func put(_ value: Double?) {
        guard let value else { return put(String?.none) }
        guard value.isFinite else { return put("\(value)") }
        next()
        text.write(double: value)
    }

    mutating func put(_ time: Timestamp) { put(Int(time.milliseconds)) }
    mutating func put(_ truth: Bool) { put(truth ? 1 : 0) }

    mutating func put(_ name: String, _ value: Double) {
        next()
        text.write(text: name)
        text.write(mark: ":")
        isFirst = true
        put(value)
    }

    mutating func put(_ interval: MediaInterval, _ metrics: [StreamMetric]) {
        open("[")
        put(interval.end)
        put(interval.stream.direction.rawValue)
        put(interval.stream.kind.rawValue)
        put(StoredText.encode(interval.stream.connection.rawValue))
        put(StoredText.encode(interval.stream.source))
        put(interval.start)
        put(interval.segment)
        put(interval.heldSeconds)
        put(interval.packets)
        put(interval.packetsLost)
        put(interval.packetsDiscarded)
        put(interval.concealmentEvents)
        put(interval.frameWidth)
        put(interval.frameHeight)
        put(interval.freezeCount)
        put(interval.lossPercent)
        put(interval.bitrateKilobitsPerSecond)
        put(interval.jitterMilliseconds)
        put(interval.roundTripMilliseconds)
        put(interval.concealedPercent)
        put(interval.silentConcealedPercent)
        put(interval.stretchedPercent)
        put(interval.jitterBufferMilliseconds)
        put(interval.audioLevelDecibels)
        put(interval.framesPerSecond)
        put(interval.frozenSeconds)
        put(interval.meanQuantizer)
        put(interval.targetKilobitsPerSecond)
        put(interval.cpuLimitedPercent)
        put(interval.bandwidthLimitedPercent)
        open("[")
        for metric in metrics { put(interval.metrics[metric]) }
        close("]")
        close("]")
    }

    mutating func put(_ score: ScoreInterval) {
        open("[")
        put(score.series.rawValue)
        put(score.start)
        put(score.end)
        put(score.score)
        put(score.audioScore)
        put(score.videoScore)
        open("{")
        for (cause, points) in score.costs { put(cause.rawValue, points) }
        close("}")
        put(score.absence?.rawValue)
        open("[")
        for member in score.missing { put(member) }
        close("]")
        put(score.heldSeconds)
        put(score.isEmitted)
        if let rating = score.rating { put(rating) } else { put(String?.none) }
        close("]")
    }

    private mutating func put(_ rating: TransmissionRating) {
        open("[")
        put(rating.band.rawValue)
        put(rating.rFactor)
        put(rating.listeningRFactor)
        put(rating.mosLQ)
        put(rating.mosCQ)
        put(rating.codecRow)
        put(rating.isEstimate)
        put(rating.equipmentImpairment)
        put(rating.lossRobustness)
        put(rating.lossPercent)
        put(rating.burstRatio)
        put(rating.oneWayDelayMilliseconds)
        close("]")
    }
}

// MARK: - Reading

/// Reads the values of an array one after the other.
private struct PlaceReader {
    private var values: [JSONValue]
    private var place = 0

    init(_ value: JSONValue) throws {
        guard case .array(let values) = value else { throw StoredValueError.notExpected(value.canonicalText) }
        self.values = values
    }

    /// What comes next; a place that was not there when the array was written is not known.
    private mutating func next() -> JSONValue {
        defer { place += 1 }
        return place < values.count ? values[place] : .null
    }

    /// - Throws: when what comes next is none, or `nil`.
    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw StoredValueError.notExpected(JSONValue.array(values).canonicalText) }
        return value
    }

    private mutating func text() throws -> String { try known(next().text) }
    private mutating func whole() -> Int? { next().wholeNumber.flatMap { Int(exactly: $0) } }
    private mutating func moment() throws -> Timestamp { Timestamp(milliseconds: try known(next().wholeNumber)) }
    private mutating func truth() -> Bool { next().truth == true }
    private mutating func figure() throws -> Double { try known(optionalFigure()) }
    private mutating func optionalFigure() -> Double? { Self.figure(of: next()) }

    private static func figure(of value: JSONValue) -> Double? {
        value.text.map { Double($0) } ?? value.number
    }

    mutating func interval(_ metrics: [StreamMetric?]) throws -> MediaInterval {
        let end = try moment()
        let direction = try known(MediaDirection(rawValue: try text()))
        let kind = try known(MediaKind(rawValue: try text()))
        let stream = StreamKey(
            connection: ConnectionID(rawValue: StoredText.decode(try text())), direction: direction, kind: kind,
            source: StoredText.decode(try text()))
        var interval = MediaInterval(stream: stream, start: try moment(), end: end, segment: try known(whole()))
        interval.heldSeconds = try figure()
        for member in IntervalRow.wholes { interval[keyPath: member.path] = whole() }
        for member in IntervalRow.reals { interval[keyPath: member.path] = optionalFigure() }
        if case .array(let figures) = next() {
            for (metric, value) in zip(metrics, figures) {
                if let metric, let figure = Self.figure(of: value) { interval.metrics[metric] = figure }
            }
        }
        return interval
    }

    mutating func score() throws -> ScoreInterval {
        var score = ScoreInterval(
            series: try known(ScoreInterval.Series(rawValue: try text())), start: try moment(), end: try moment(),
            score: whole(), audioScore: whole(), videoScore: whole())
        for (name, value) in next().members ?? [:] {
            if let cause = QualityCause(rawValue: name) { score.costs[cause] = Self.figure(of: value) }
        }
        score.absence = next().text.flatMap(ScoreInterval.Absence.init(rawValue:))
        if case .array(let members) = next() { score.missing = members.compactMap(\.text) }
        score.heldSeconds = try figure()
        score.isEmitted = truth()
        let rating = next()
        if rating != .null {
            var places = try PlaceReader(rating)
            score.rating = try places.rating()
        }
        return score
    }

    private mutating func rating() throws -> TransmissionRating {
        TransmissionRating(
            band: try known(SpeechBand(rawValue: try text())), rFactor: optionalFigure(),
            listeningRFactor: try figure(), mosLQ: try figure(), mosCQ: optionalFigure(), codecRow: try text(),
            isEstimate: truth(), equipmentImpairment: try figure(), lossRobustness: try figure(),
            lossPercent: try figure(), burstRatio: try figure(), oneWayDelayMilliseconds: optionalFigure())
    }
}
