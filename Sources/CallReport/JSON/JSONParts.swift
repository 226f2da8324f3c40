import CallModel

/// L1-L8 and L15.
struct JSONSetup {
    let value: JSONValue

    init(_ setup: SetupLatencies) {
        value = [
            "restSentDelayMilliseconds": JSONValue(setup.restSentDelay),
            "postDialDelayMilliseconds": JSONValue(setup.postDialDelay),
            "networkPostDialDelayMilliseconds": JSONValue(setup.networkPostDialDelay),
            "ringTimeMilliseconds": JSONValue(setup.ringTime),
            "answerDelayMilliseconds": JSONValue(setup.answerDelay),
            "iceConnectTimeMilliseconds": JSONValue(setup.iceConnectTime),
            "mediaSetupMilliseconds": JSONValue(setup.mediaSetup),
            "iceGatheringUpperBoundMilliseconds": JSONValue(setup.iceGatheringUpperBound),
            "iceOutcome": JSONValue(setup.iceOutcome?.rawValue),
            "firstMediaAfterMilliseconds": JSONValue(setup.firstMediaAfter),
            "firstMediaByMilliseconds": JSONValue(setup.firstMediaBy),
            "callDurationMilliseconds": JSONValue(setup.callDuration),
            "totalDurationMilliseconds": JSONValue(setup.totalDuration),
            "isEndKnown": .bool(setup.isEndKnown),
            "anomalies": JSONValue(setup.anomalies),
        ]
    }
}

/// The network path.
struct JSONPath {
    let value: JSONValue

    init(_ path: PathSummary) {
        value = [
            "localType": JSONValue(path.localType),
            "remoteType": JSONValue(path.remoteType),
            "protocol": JSONValue(path.transportProtocol),
            "relayProtocol": JSONValue(path.relayProtocol),
            "isRelayed": path.isRelayed.map { .bool($0) } ?? .null,
            "networkType": JSONValue(path.networkType),
            "localAddress": JSONValue(path.localAddress),
            "remoteAddress": JSONValue(path.remoteAddress),
            "changes": .array(path.changes.map { JSONValue($0) }),
            "roundTripMilliseconds": JSONValue(path.roundTripMilliseconds),
        ]
    }
}

/// How complete and consistent the facts are.
struct JSONDataQuality {
    let value: JSONValue

    init(_ quality: DataQuality) {
        value = [
            "reports": JSONValue(quality.reports),
            "events": JSONValue(quality.events),
            "medianIntervalMilliseconds": JSONValue(quality.medianIntervalMilliseconds),
            "gaps": .array(quality.gaps.map { JSONValue($0) }),
            "contradictions": JSONValue(quality.contradictions),
            "counterResets": JSONValue(quality.counterResets),
            "clockOffsetMilliseconds": JSONValue(quality.clockOffsetMilliseconds),
            "unknownEvents": JSONValue(quality.unknownEvents),
            "notes": JSONValue(quality.notes),
        ]
    }
}

extension StreamKey {
    /// What names a stream in the report and its series.
    var jsonMembers: [String: JSONValue] {
        [
            "connection": .string(connection.rawValue), "direction": .string(direction.rawValue),
            "kind": .string(kind.rawValue), "ssrc": .string(source),
        ]
    }
}

/// One stream over the whole call.
struct JSONStream {
    let value: JSONValue

    init(_ stream: StreamSummary) {
        let figures: [String: JSONValue] = [
            "firstSeen": JSONValue(stream.firstSeen), "lastSeen": JSONValue(stream.lastSeen),
            "codec": JSONValue(stream.codec), "clockRateHertz": JSONValue(stream.clockRate),
            "formatParameters": JSONValue(stream.formatParameters),
            "packets": JSONValue(stream.packets), "packetsLost": JSONValue(stream.packetsLost),
            "lossPercent": JSONValue(stream.lossPercent), "packetsDiscarded": JSONValue(stream.packetsDiscarded),
            "resumeGapPackets": JSONValue(stream.resumeGapPackets),
            "bitrateKilobitsPerSecond": JSONValue(stream.bitrateKilobitsPerSecond),
            "jitterMilliseconds": JSONValue(stream.jitterMilliseconds),
            "maximumJitterMilliseconds": JSONValue(stream.maximumJitterMilliseconds),
            "roundTripMilliseconds": JSONValue(stream.roundTripMilliseconds),
            "concealedPercent": JSONValue(stream.concealedPercent),
            "stretchedPercent": JSONValue(stream.stretchedPercent),
            "jitterBufferMilliseconds": JSONValue(stream.jitterBufferMilliseconds),
            "framesPerSecond": JSONValue(stream.framesPerSecond),
            "frameWidthPixels": JSONValue(stream.frameWidth), "frameHeightPixels": JSONValue(stream.frameHeight),
            "frozenSeconds": JSONValue(stream.frozenSeconds), "freezeCount": JSONValue(stream.freezeCount),
            "segments": JSONValue(stream.segments),
        ]
        value = .object(figures.merging(stream.stream.jsonMembers) { first, _ in first })
    }
}
