import CallModel

/// What a probe measured of one stream; names and units are those of ``WireStream`` and ``WireFigure``.
struct JSONWireStream {
    let value: JSONValue

    init(_ stream: WireStream) {
        value = .object(Self.identity(stream).merging(Self.measured(stream)) { first, _ in first })
    }

    private static func identity(_ stream: WireStream) -> JSONObject {
        [
            "id": .string(stream.id), "ssrc": .integer(Int64(stream.ssrc)),
            "source": .string(stream.source), "destination": .string(stream.destination),
            "kind": .string(stream.kind.rawValue), "role": .string(stream.role.rawValue),
            "payloadType": JSONValue(stream.payloadType), "codec": JSONValue(stream.codec),
            "clockRate": JSONValue(stream.clockRate), "clockOrigin": JSONValue(stream.clockOrigin?.rawValue),
            "formatParameters": JSONValue(stream.formatParameters),
            "packetMilliseconds": JSONValue(stream.packetMilliseconds), "isEncrypted": JSONValue(stream.isEncrypted),
        ]
    }

    private static func measured(_ stream: WireStream) -> JSONObject {
        [
            "firstPacketAt": JSONValue(stream.firstPacketAt), "lastPacketAt": JSONValue(stream.lastPacketAt),
            "lastControlAt": JSONValue(stream.lastControlAt),
            "lastOutage": stream.lastOutage.map { JSONValue($0) } ?? .null,
            "receiverMetrics": .array((stream.receiverMetrics ?? []).map(metrics)),
            "figures": .object(JSONObject(stream.figures.byName.mapValues { JSONValue($0) })),
            "lossRuns": .array(stream.lossRuns.map { JSONValue($0) }),
            "delayBuckets": .array(stream.delayBuckets.map { JSONValue($0) }),
        ]
    }

    private static func metrics(_ metrics: ReceiverMetrics) -> JSONValue {
        [
            "reportedAt": JSONValue(metrics.reportedAt), "reporter": .integer(Int64(metrics.reporter)),
            "reports": JSONValue(metrics.reports),
            "lossRate": JSONValue(metrics.lossRate), "discardRate": JSONValue(metrics.discardRate),
            "burstDensity": JSONValue(metrics.burstDensity), "gapDensity": JSONValue(metrics.gapDensity),
            "burstMilliseconds": JSONValue(metrics.burstMilliseconds),
            "gapMilliseconds": JSONValue(metrics.gapMilliseconds), "minimumGap": JSONValue(metrics.minimumGap),
            "roundTripMilliseconds": JSONValue(metrics.roundTripMilliseconds),
            "endSystemMilliseconds": JSONValue(metrics.endSystemMilliseconds),
            "signalLevelDecibels": JSONValue(metrics.signalLevelDecibels),
            "noiseLevelDecibels": JSONValue(metrics.noiseLevelDecibels),
            "residualEchoReturnLossDecibels": JSONValue(metrics.residualEchoReturnLossDecibels),
            "rFactor": JSONValue(metrics.rFactor), "externalRFactor": JSONValue(metrics.externalRFactor),
            "listeningMOS": JSONValue(metrics.listeningMOS),
            "conversationalMOS": JSONValue(metrics.conversationalMOS),
            "lossConcealment": JSONValue(metrics.lossConcealment?.rawValue),
            "isJitterBufferAdaptive": JSONValue(metrics.isJitterBufferAdaptive),
            "jitterBufferRate": JSONValue(metrics.jitterBufferRate),
            "jitterBufferNominalMilliseconds": JSONValue(metrics.jitterBufferNominalMilliseconds),
            "jitterBufferMaximumMilliseconds": JSONValue(metrics.jitterBufferMaximumMilliseconds),
            "jitterBufferAbsoluteMaximumMilliseconds": JSONValue(metrics.jitterBufferAbsoluteMaximumMilliseconds),
        ]
    }
}

/// How well a capture did.
struct JSONSensor {
    let value: JSONValue

    init?(of summary: CallSummary) {
        guard let sensor = summary.sensor else { return nil }
        value = [
            "packetsDroppedByKernel": JSONValue(sensor.packetsDroppedByKernel),
            "packetsDroppedByInterface": JSONValue(sensor.packetsDroppedByInterface),
            "holes": .array(sensor.holes.map { JSONValue($0) }),
            "packetsRecordedTwice": JSONValue(sensor.packetsRecordedTwice),
            "packetsCutShort": JSONValue(sensor.packetsCutShort),
            "unseenMedia": JSONValue(sensor.unseenMedia?.rawValue),
            "watchedUntil": sensor.watchedUntil.map { JSONValue($0) } ?? .null,
            "packetsUnrecorded": JSONValue(summary.packetsUnrecorded),
            "isDoubtful": .bool(summary.isCaptureDoubtful == true),
            "faults": JSONValue(
                SensorWords(sensor, unrecorded: summary.packetsUnrecorded).faults(since: summary.start)),
        ]
    }
}

/// What the audio part of a score rests on.
struct JSONBasis {
    let value: JSONValue

    init(_ basis: ScoreBasis) {
        value = [
            "rulesVersion": JSONValue(basis.rulesVersion), "codec": JSONValue(basis.codec),
            "isRepairAssumed": JSONValue(basis.isRepairAssumed), "lossPercent": JSONValue(basis.lossPercent),
            "meanLossRun": JSONValue(basis.meanLossRun), "latePercent": JSONValue(basis.latePercent),
            "concealedPercent": JSONValue(basis.concealedPercent),
            "stretchedPercent": JSONValue(basis.stretchedPercent), "silentPercent": JSONValue(basis.silentPercent),
            "networkDelayMilliseconds": JSONValue(basis.networkDelayMilliseconds),
            "bufferDelayMilliseconds": JSONValue(basis.bufferDelayMilliseconds),
            "codecDelayMilliseconds": JSONValue(basis.codecDelayMilliseconds),
        ]
    }
}
