import CallModel

/// Reads what a probe saw as samples of inbound streams: from here on the wire and a client take the same road.
struct WireReader {
    let report: WireReport

    /// The streams that carry audio or video themselves, in the order in which they are taken.
    func samples() -> [KeyedSample] {
        var samples: [KeyedSample] = []
        let repairs = report.streams.filter { $0.role == .retransmission || $0.role == .repair }
        for stream in report.streams where stream.role == .primary {
            var sample = sample(of: stream)
            sample.isRepaired = repairs.contains { $0.goesBeside(stream) }
            samples.append(KeyedSample(key(of: stream), sample))
        }
        return samples.sorted { $0.key < $1.key }
    }

    /// The key of one stream of the report.
    func key(of stream: WireStream) -> StreamKey {
        StreamKey(connection: .only, direction: .inbound, kind: stream.kind, source: stream.id)
    }

    private func sample(of stream: WireStream) -> StreamSample {
        var sample = StreamSample(time: report.time)
        sample.counters.packets = stream[.packetsReceived]
        sample.counters.packetsLost = stream[.packetsLost]
        sample.counters.packetsLostInOutages = stream[.packetsLostInOutages]
        sample.counters.packetsLostBehind = stream[.packetsLostBehind]
        sample.counters.packetsDiscarded = stream[.packetsDiscarded]
        sample.counters.bytes = stream[.bytesReceived]
        // Runs of lost packets, without those of outages, whose packets are told apart, too.
        let runs = stream.lossRuns.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        sample.counters.outageRuns = stream[.lossRunsInOutages] ?? 0
        sample.counters.concealmentEvents = max(0, Double(runs) - (stream[.lossRunsInOutages] ?? 0))
        sample.counters.jitterBufferSeconds = stream[.jitterBufferDelay]
        sample.counters.jitterBufferEmitted = stream[.jitterBufferEmittedCount]
        sample.counters.lateSeconds = stream[.lateSeconds]
        sample.counters.stretchedSeconds = stream[.stretchedSeconds]
        sample.counters.outageSeconds = stream[.outageSeconds]
        sample.counters.senderPausedSeconds = stream[.pauseSeconds]
        sample.counters.sequenceRestarts = stream[.sequenceRestarts]
        sample.jitterSeconds = stream[.jitter]
        sample.firstPacketAt = stream.firstPacketAt
        sample.lastPacketReceivedAt = stream.lastPacketAt
        sample.lastOutage = stream.lastOutage
        sample.packetSeconds = stream.packetMilliseconds.map { $0 / 1000 }
        sample.farEnd = farEnd(of: stream)
        sample.codec = stream.codec.map {
            CodecDescription(
                mimeType: $0, clockRate: stream.clockRate, formatParameters: stream.formatParameters,
                isGuess: stream.isCodecGuess)
        }
        return sample
    }

    private func farEnd(of stream: WireStream) -> FarEndSample? {
        // Checks of ICE measure, too, where no RTCP passes.
        let measuredAt = stream[.totalRoundTripTime].map { _ in report.time }
        guard let arrivedAt = stream.lastControlAt ?? measuredAt else { return nil }
        var farEnd = FarEndSample(arrivedAt: arrivedAt)
        farEnd.packetsSent = stream[.packetsSent]
        farEnd.totalRoundTripSeconds = stream[.totalRoundTripTime]
        farEnd.roundTripMeasurements = stream[.roundTripTimeMeasurements]
        return farEnd
    }
}

extension WireStream {
    /// Whether both go the same way: repair of a picture goes beside it.
    fileprivate func goesBeside(_ other: WireStream) -> Bool {
        source == other.source && destination == other.destination
    }
}
