import CallModel
import Foundation

/// Everything known of one stream so far: its meter, and what a summary of it needs.
struct StreamRecord: Archivable {
    private(set) var meter: StreamMeter
    private var firstSeen: Timestamp
    /// Since when its counters run, as far as is known.
    private var beginning: Timestamp
    private var lastSeen: Timestamp
    private var reference = VideoReference()
    /// Samples as if all were played at one rate.
    private var measured = CounterSet()
    /// That rate: 0 before there are any, ``severalRates`` where not all were played at one.
    private var kilohertz = 0
    private var flowingSeconds = 0.0
    /// Those of spans of which the bytes are known: not where their counter fell, as one of 32 bits that wraps.
    private var bytesSeconds = 0.0
    private var resumeGapPackets = 0.0
    /// Packets that were no media, and those of them that were lost.
    private var paddingPackets = 0.0
    private var paddingLost = 0.0
    private var frozenSeconds: Double?
    private var freezes: Double?
    /// For how long its picture has stood still, as is known before the engine tells.
    private var untoldStandstillSeconds = 0.0
    private var jitterSeconds = 0.0
    private var jitterReports = 0
    private var maximumJitterSeconds: Double?
    private var roundTrips = RoundTripTotals()
    private var farEndLost: Double?
    private var farEndLostBefore: Double?
    /// What it had lost when the counters last began anew.
    private var farEndLostInEarlier = 0.0
    /// When the far end's RTCP came last, and for how long packets have been sent since.
    private var farEndAt: Timestamp?
    private var unansweredSeconds = 0.0
    /// Packets sent since then, of which the next one tells; and those of which that of the last span has told.
    private var packetsUntold = 0.0
    private var packetsTold: Double?
    private var metricCounters = MetricCounters()
    private var labels = StreamLabels()
    private var course = StreamCourse()
    private var score: StreamScore
    private var wire: WireStream?
    private var codecs = CodecWatch()
    private var senderCounter = SenderCounter()

    /// As of a stream whose first report comes late; what was lost in more time is no one span's.
    private static let longestWithoutControlSeconds = 30.0

    var stream: StreamKey { meter.stream }
    var segments: Int { meter.segment + 1 }
    /// Changes to poorer codecs.
    var codecSteps: [CodecStep] { codecs.steps }
    var hasReceivedPackets: Bool { meter.stream.direction == .inbound && (meter.total.packets ?? 0) > 0 }

    init(stream: StreamKey, first sample: StreamSample, previousReport: Timestamp?) {
        meter = StreamMeter(stream: stream, first: sample, previousReport: previousReport)
        score = StreamScore(kind: stream.kind)
        firstSeen = sample.time
        beginning = min(sample.time, previousReport ?? sample.time)
        lastSeen = sample.time
        // Where the stream began at zero before this report, so did what the far end had lost.
        if meter.previous.time == sample.time {
            farEndLost = sample.farEnd?.packetsLost
            farEndAt = sample.farEnd?.arrivedAt
        }
        senderCounter.take(sample)
    }

    /// Takes the next report of the stream.
    /// - Returns: what happened since the last; for video with the reference to hold it against.
    mutating func take(_ sample: StreamSample, connection: ConnectionState) -> MeasuredSpan? {
        lastSeen = max(lastSeen, sample.time)
        senderCounter.take(sample)
        let segment = meter.segment
        // A span in which a camera took the place of a screen, or the other way about, has pictures of both.
        let isScreen = sample.labels.isScreen || meter.previous.labels.isScreen
        guard var delta = meter.take(sample, connection: connection) else { return nil }
        delta.isPlaceholder = stream.kind == .video && reference.takePlaceholder(delta)
        let isStill = isScreen || delta.isPlaceholder
        if isStill {
            delta.excuseStandstill()
        } else if stream.kind == .video, stream.direction == .inbound {
            delta.leaveOutUndecoded(unseenSeconds: delta.end.seconds(since: beginning))
            delta.inferStandstill(usual: reference.framesPerSecond, unseenSeconds: unseenSeconds(until: delta))
            delta.noteStandstill(open: &untoldStandstillSeconds, usual: reference.framesPerSecond)
        }
        add(delta, isRestart: delta.segment > segment)
        if stream.kind == .video, !isStill { reference.raise(to: delta) }
        // Of a stream that begins anew it is not known since when its pictures came.
        let hasUsual = !isStill && delta.segment == segment
        let best = stream.kind == .audio ? nil : hasUsual ? reference : VideoReference()
        if stream.direction == .outbound {
            score.add(sent: delta, lost: lost(in: delta).map(Double.init))
        } else if (sample.counters.packets ?? 1) > 0 {
            score.add(delta, reference: best)
        }
        return MeasuredSpan(delta, reference: best, row: interval(of: delta))
    }

    /// For how long the stream has come without a picture since it was first seen; 0 once there was one. Where freezes are counted
    /// one that stopped before is told when it goes on.
    @inline(__always)
    private func unseenSeconds(until delta: StreamDelta) -> Double {
        let isStopped = delta.counted.frozenSeconds == nil && (measured.frames ?? 0) + (delta.counted.frames ?? 0) == 0
        return meter.total.frames == 0 || isStopped ? delta.end.seconds(since: beginning) : 0
    }

    /// In an interruption engines stop counting what they send, and go on waiting.
    private mutating func noteAnswer(_ delta: StreamDelta) {
        let sent = max(0, delta.firstArrivals ?? 0)
        guard let arrived = delta.sample.farEnd?.arrivedAt else {
            packetsTold = sent
            return
        }
        let isNew = farEndAt.map { arrived > $0 } ?? true
        let isAwaited = (delta.counted.packets ?? 0) > 0 || delta.isBesideDarkSound
        farEndAt = arrived
        unansweredSeconds = isNew ? 0 : unansweredSeconds + (isAwaited ? delta.seconds : 0)
        packetsTold = isNew ? packetsUntold + sent : nil
        packetsUntold = isNew ? 0 : packetsUntold + sent
    }

    /// What the far end has lost over all segments: where the stream begins anew, so does its count.
    private mutating func farEndTotal(_ count: Double?, isRestart: Bool) -> Double? {
        guard let count else { return nil }
        if isRestart, let farEndLost, count + farEndLostInEarlier < farEndLost { farEndLostInEarlier = farEndLost }
        return farEndLostInEarlier + count
    }

    /// Scores the window of the stream if it is complete.
    mutating func closeScore(roundTripMilliseconds: Double?, model: ScoreModel) {
        score.closeWhenComplete(roundTripMilliseconds: roundTripMilliseconds, model: model)
    }

    /// Keeps everything a probe has measured of the stream so far, for the summary.
    mutating func note(_ latest: WireStream) { wire = latest }

    /// Whether a probe saw nothing of the stream since it last told of it.
    func isStill(in latest: WireStream) -> Bool { wire.map { latest.isStill(since: $0) } ?? false }

    private static let severalRates = -1

    /// - Returns: by what the samples of the span are multiplied.
    private mutating func noteRate(of delta: StreamDelta) -> Double {
        let scale = delta.samplesScale
        if delta.counted.samples ?? 0 > 0 {
            let played = Int((48 / scale).rounded())
            kilohertz = kilohertz == 0 || kilohertz == played ? played : Self.severalRates
        }
        return scale
    }

    private mutating func add(_ delta: StreamDelta, isRestart: Bool) {
        measured += delta.counted.scalingSamples(by: noteRate(of: delta))
        flowingSeconds += delta.flowingSeconds
        resumeGapPackets += delta.resumeGapPackets
        if let seconds = delta.standstillSeconds { frozenSeconds = (frozenSeconds ?? 0) + seconds }
        if let count = delta.standstills { freezes = (freezes ?? 0) + count }
        roundTrips.add(seconds: delta.roundTripSeconds, measurements: delta.roundTripMeasurements)
        // RTCP that comes only after the stream was seen counts from the beginning of the stream.
        let isYoung = delta.end.seconds(since: firstSeen) <= Self.longestWithoutControlSeconds
        farEndLostBefore = farEndLost ?? (isYoung ? 0 : nil)
        farEndLost = farEndTotal(delta.sample.farEnd?.packetsLost, isRestart: isRestart) ?? farEndLost
        if stream.direction == .outbound { noteAnswer(delta) }
        var counters = delta.metricCounters
        counters.scaleSamples(by: delta.samplesScale)
        if delta.counted.bytes == nil { counters.forgetBytes() } else { bytesSeconds += delta.flowingSeconds }
        metricCounters += counters
        labels.update(delta.sample.labels)
        codecs.take(delta.sample, of: stream, at: delta.end)
        course.take(delta, lost: delta.isPaddingOnly ? nil : lost(in: delta))
        if delta.isPaddingOnly {
            paddingPackets += delta.firstArrivals ?? 0
            paddingLost += Double(lost(in: delta) ?? 0)
        }
        if let jitter = jitter(of: delta) {
            jitterSeconds += jitter
            jitterReports += 1
            maximumJitterSeconds = max(maximumJitterSeconds ?? 0, jitter)
        }
    }
}

// MARK: - Rows

extension StreamRecord {
    /// The row of the time series for a span.
    private func interval(of delta: StreamDelta) -> MediaInterval {
        var row = MediaInterval(stream: stream, start: delta.start, end: delta.end, segment: delta.segment)
        row.heldSeconds = delta.heldSeconds
        let flowing = delta.flowingSeconds
        row.packets = delta.firstArrivals.map { max(0, $0.wholeNumber) }
        row.packetsDiscarded = delta.counted.packetsDiscarded.map { $0.wholeNumber }
        if flowing > 0 { row.bitrateKilobitsPerSecond = delta.counted.bytes.map { 8 * $0 / flowing / 1000 } }
        if delta.roundTripMeasurements > 0 {
            row.roundTripMilliseconds = 1000 * delta.roundTripSeconds / delta.roundTripMeasurements
        }
        row.jitterMilliseconds = jitter(of: delta).map { 1000 * $0 }
        row.metrics = metrics(of: delta)
        fillLoss(&row, delta)
        if stream.kind == .audio { fillAudio(&row, delta) } else { fillVideo(&row, delta) }
        return row
    }

    /// Jitter in seconds, as measured here or by the far end; `nil` where no media flowed.
    @inline(__always)
    private func jitter(of delta: StreamDelta) -> Double? {
        guard delta.counted.packets ?? 0 > 0, !delta.isPaddingOnly else { return nil }
        return stream.direction == .inbound ? delta.sample.jitterSeconds : delta.sample.farEnd?.jitterSeconds
    }

    /// Packets lost in the span just taken: seen here, or as the far end says.
    @inline(__always)
    private func lost(in delta: StreamDelta) -> Int? {
        if stream.direction == .inbound { return delta.packetsLost.map { $0.wholeNumber } }
        guard let now = farEndLost, let before = farEndLostBefore else { return nil }
        return (now - before).wholeNumber
    }

    private func fillLoss(_ row: inout MediaInterval, _ delta: StreamDelta) {
        row.packetsLost = lost(in: delta)
        guard delta.resumeGapPackets == 0, !delta.isPaddingOnly, let lost = row.packetsLost, let packets = row.packets
        else { return }
        let isReceived = stream.direction == .inbound
        let arrived = isReceived ? Double(packets) : packetsTold.map { $0 - Double(lost) }
        row.lossPercent = arrived.flatMap { Self.lossPercent(lost: Double(lost), arrived: $0) }
    }

    private func fillAudio(_ row: inout MediaInterval, _ delta: StreamDelta) {
        let counted = delta.counted
        if let samples = counted.samples, samples > 0 {
            func percent(_ count: Double?) -> Double? { count.map { min(100, max(0, 100 * $0 / samples)) } }
            row.concealedPercent = percent(counted.concealedSamples)
            row.silentConcealedPercent = percent(counted.silentConcealedSamples)
            row.stretchedPercent = percent(counted.stretchedSamples)
        }
        row.concealmentEvents = counted.concealmentEvents.map { $0.wholeNumber }
        row.jitterBufferMilliseconds = Self.milliseconds(counted.jitterBufferSeconds, per: counted.jitterBufferEmitted)
        row.audioLevelDecibels = Self.level(energy: counted.audioEnergy, seconds: counted.samplesSeconds)
    }

    private func fillVideo(_ row: inout MediaInterval, _ delta: StreamDelta) {
        let counted = delta.counted
        let flowing = delta.flowingSeconds
        if flowing > 0 { row.framesPerSecond = counted.frames.map { $0 / flowing } }
        row.frameWidth = delta.sample.frameWidth
        row.frameHeight = delta.sample.frameHeight
        row.frozenSeconds =
            delta.standstillSeconds == nil && delta.counted.stillSeconds == 0 ? nil : delta.unmovedSeconds
        row.freezeCount = delta.standstills.map { $0.wholeNumber }
        if let frames = counted.frames, frames > 0 { row.meanQuantizer = counted.quantizerSum.map { $0 / frames } }
        row.jitterBufferMilliseconds = Self.milliseconds(counted.jitterBufferSeconds, per: counted.jitterBufferEmitted)
        row.targetKilobitsPerSecond = delta.sample.targetBitrate.map { $0 / 1000 }
        func share(_ seconds: Double?) -> Double? { seconds.map { min(100, max(0, 100 * $0 / delta.seconds)) } }
        row.cpuLimitedPercent = share(counted.cpuLimitedSeconds)
        row.bandwidthLimitedPercent = share(counted.bandwidthLimitedSeconds)
    }

    /// The stream over the whole call.
    func summary(roundTripMilliseconds: Double?, model: ScoreModel) -> StreamSummary {
        var result = StreamSummary(stream: stream, firstSeen: firstSeen, lastSeen: lastSeen)
        let total = meter.total
        let codec = meter.previous.codec
        result.codec = codec?.mimeType
        result.clockRate = codec?.clockRate
        result.formatParameters = codec?.formatParameters
        result.segments = segments
        let arrived = total.packets.map { $0 - (total.retransmittedPackets ?? 0) }
        result.packets = arrived.map { $0.wholeNumber }
        result.resumeGapPackets = resumeGapPackets.wholeNumber
        let lost = stream.direction == .inbound ? total.packetsLost.map { $0 - resumeGapPackets } : farEndLost
        result.packetsLost = lost.map { $0.wholeNumber }
        if let lost, let arrived, total.bytes != 0 || total.frames != 0 {
            let media = arrived - paddingPackets - (stream.direction == .inbound ? 0 : lost - paddingLost)
            result.lossPercent = Self.lossPercent(lost: lost - paddingLost, arrived: media)
        }
        result.packetsDiscarded = total.packetsDiscarded.map { $0.wholeNumber }
        let due = wire.map { $0.dueSeconds(of: bytesSeconds, until: lastSeen) } ?? bytesSeconds
        if due > 0 { result.bitrateKilobitsPerSecond = measured.bytes.map { 8 * $0 / due / 1000 } }
        if jitterReports > 0 { result.jitterMilliseconds = 1000 * jitterSeconds / Double(jitterReports) }
        result.maximumJitterMilliseconds = maximumJitterSeconds.map { 1000 * $0 }
        result.roundTripMilliseconds = roundTrips.meanMilliseconds
        result.metrics = metricCounters.figures(of: stream, seconds: flowingSeconds, bytesSeconds: bytesSeconds)
        (result.layer, result.scalabilityMode) = (labels.layer, labels.scalabilityMode)
        result.content = labels.content
        (result.implementation, result.isPowerEfficient) = (labels.implementation, labels.isPowerEfficient)
        course.fill(&result)
        result.wire = wire
        // What the far end heard before its RTCP fell silent is not what it heard of the call.
        if unansweredSeconds < FarEndSample.longestAgeSeconds,
            let concluded = score.concluded(
                roundTripMilliseconds: roundTripMilliseconds, model: model, isOnWire: wire != nil)
        {
            (result.score, result.worstScore) = (concluded.score, concluded.worst)
        }
        result.senderCount = senderCounter.current
        fillMedia(&result, total)
        if result.intervals == 0 { fillGauges(&result) }
        return result
    }

    /// Of a stream that was reported once, what its one report measured by itself; of what it counts nobody knows since when.
    private func fillGauges(_ result: inout StreamSummary) {
        let only = meter.previous
        guard only.counters.packets ?? 0 > 0 else { return }
        let jitter = stream.direction == .inbound ? only.jitterSeconds : only.farEnd?.jitterSeconds
        result.jitterMilliseconds = jitter.map { 1000 * $0 }
        result.roundTripMilliseconds = only.farEnd?.roundTripSeconds.map { 1000 * $0 }
        if stream.kind == .video { result.framesPerSecond = only.framesPerSecond }
    }

    private func metrics(of delta: StreamDelta) -> [StreamMetric: Double] {
        var figures = delta.metricCounters.figures(of: stream, seconds: delta.flowingSeconds)
        figures[.echoReturnLossDecibels] = delta.sample.echoReturnLoss
        figures[.echoReturnLossEnhancementDecibels] = delta.sample.echoReturnLossEnhancement
        if let target = delta.sample.targetBitrate, target > 0, delta.flowingSeconds > 0,
            let bytes = delta.counted.bytes
        {
            figures[.bitrateToTargetPercent] = 100 * 8 * bytes / delta.flowingSeconds / target
        }
        return figures
    }

    private func fillMedia(_ result: inout StreamSummary, _ total: CounterSet) {
        // Of samples of several rates the client's sums say nothing.
        let played = kilohertz == Self.severalRates ? measured : total
        if let samples = played.samples, samples > 0 {
            result.concealedPercent = played.concealedSamples.map { 100 * $0 / samples }
            result.stretchedPercent = played.stretchedSamples.map { 100 * $0 / samples }
        }
        result.jitterBufferMilliseconds =
            Self.milliseconds(played.jitterBufferSeconds, per: played.jitterBufferEmitted)
            ?? Self.milliseconds(measured.jitterBufferSeconds, per: measured.jitterBufferEmitted)
        guard stream.kind == .video else { return }
        if flowingSeconds > 0 { result.framesPerSecond = measured.frames.map { $0 / flowingSeconds } }
        result.frameWidth = meter.previous.frameWidth
        result.frameHeight = meter.previous.frameHeight
        let still = measured.stillSeconds.flatMap { $0 > 0 ? $0 : nil }
        result.frozenSeconds = frozenSeconds.map { $0 + (still ?? 0) } ?? still
        result.freezeCount = freezes.map { $0.wholeNumber }
    }
}

// MARK: - Arithmetic

extension StreamRecord {
    /// Never negative; `nil` when no packet was expected.
    private static func lossPercent(lost: Double, arrived: Double) -> Double? {
        let counted = max(0, lost)
        let expected = counted + max(0, arrived)
        return expected > 0 ? min(100, 100 * counted / expected) : nil
    }

    private static func milliseconds(_ seconds: Double?, per count: Double?) -> Double? {
        guard let seconds, let count, count > 0 else { return nil }
        return max(0, 1000 * seconds / count)
    }

    private static func level(energy: Double?, seconds: Double?) -> Double? {
        guard let energy, let seconds, seconds > 0, energy >= 0 else { return nil }
        let meanSquare = energy / seconds
        return meanSquare > 0 ? max(-127, 10 * log10(meanSquare)) : -127
    }
}

// MARK: - Archive

extension StreamRecord {
    func write(to archive: inout ArchiveWriter) {
        archive.put(meter, firstSeen, lastSeen)
        if stream.kind == .video { archive.put(reference, untoldStandstillSeconds) }
        archive.put(measured, flowingSeconds, resumeGapPackets, frozenSeconds)
        archive.put(freezes, jitterSeconds, jitterReports, maximumJitterSeconds)
        archive.put(roundTrips, farEndLost, farEndLostBefore, metricCounters)
        archive.put(labels, course, score, wire)
        archive.put(codecs, senderCounter, paddingPackets, paddingLost)
        archive.put(farEndLostInEarlier, farEndAt, unansweredSeconds, packetsUntold)
        archive.put(packetsTold, beginning, bytesSeconds, kilohertz)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (meter, firstSeen, lastSeen) = try archive.get()
        if meter.stream.kind == .video { (reference, untoldStandstillSeconds) = try archive.get() }
        (measured, flowingSeconds, resumeGapPackets, frozenSeconds) = try archive.get()
        (freezes, jitterSeconds, jitterReports, maximumJitterSeconds) = try archive.get()
        (roundTrips, farEndLost, farEndLostBefore, metricCounters) = try archive.get()
        (labels, course, score, wire) = try archive.get()
        (codecs, senderCounter, paddingPackets, paddingLost) = try archive.get()
        (farEndLostInEarlier, farEndAt, unansweredSeconds, packetsUntold) = try archive.get()
        (packetsTold, beginning, bytesSeconds, kilohertz) = try archive.get()
    }
}
