import CallModel

/// One stream over the whole call.
struct JSONStream {
    let value: JSONValue

    init(_ stream: StreamSummary) {
        value = .object(
            [stream.stream.jsonMembers, Self.format(stream), Self.network(stream), Self.playback(stream)]
                .reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } })
    }

    private static func format(_ stream: StreamSummary) -> JSONObject {
        [
            "score": JSONValue(stream.score), "worstScore": JSONValue(stream.worstScore),
            "firstSeen": JSONValue(stream.firstSeen), "lastSeen": JSONValue(stream.lastSeen),
            "codec": JSONValue(stream.codec), "clockRateHertz": JSONValue(stream.clockRate),
            "formatParameters": JSONValue(stream.formatParameters),
            "layer": JSONValue(stream.layer), "scalabilityMode": JSONValue(stream.scalabilityMode),
            "contentType": JSONValue(stream.content),
            "implementation": JSONValue(stream.implementation), "isPowerEfficient": JSONValue(stream.isPowerEfficient),
            "codecChanges": JSONValue(stream.codecChanges),
            "resolutionChanges": JSONValue(stream.resolutionChanges),
            "pictureChanges": .array(stream.pictureChanges.map(change)),
            "segments": JSONValue(stream.segments), "intervals": JSONValue(stream.intervals),
        ]
    }

    private static func change(_ change: PictureChange) -> JSONValue {
        func size(_ picture: PictureChange.Picture) -> JSONValue {
            [
                "widthPixels": JSONValue(picture.width), "heightPixels": JSONValue(picture.height),
                "framesPerSecond": JSONValue(picture.framesPerSecond),
            ]
        }
        return [
            "time": JSONValue(change.time), "from": size(change.from), "to": size(change.to),
            "limit": JSONValue(change.limit?.rawValue),
        ]
    }

    private static func network(_ stream: StreamSummary) -> JSONObject {
        [
            "packets": JSONValue(stream.packets), "packetsLost": JSONValue(stream.packetsLost),
            "lossPercent": JSONValue(stream.lossPercent), "packetsDiscarded": JSONValue(stream.packetsDiscarded),
            "lossyIntervals": JSONValue(stream.lossyIntervals),
            "worstIntervalShareOfLossPercent": JSONValue(stream.worstIntervalShareOfLossPercent),
            "resumeGapPackets": JSONValue(stream.resumeGapPackets), "deadSeconds": JSONValue(stream.deadSeconds),
            "bitrateKilobitsPerSecond": JSONValue(stream.bitrateKilobitsPerSecond),
            "jitterMilliseconds": JSONValue(stream.jitterMilliseconds),
            "maximumJitterMilliseconds": JSONValue(stream.maximumJitterMilliseconds),
            "roundTripMilliseconds": JSONValue(stream.roundTripMilliseconds),
        ]
    }

    private static func playback(_ stream: StreamSummary) -> JSONObject {
        [
            "concealedPercent": JSONValue(stream.concealedPercent),
            "stretchedPercent": JSONValue(stream.stretchedPercent),
            "silentSeconds": JSONValue(stream.silentSeconds),
            "jitterBufferMilliseconds": JSONValue(stream.jitterBufferMilliseconds),
            "framesPerSecond": JSONValue(stream.framesPerSecond),
            "frameWidthPixels": JSONValue(stream.frameWidth), "frameHeightPixels": JSONValue(stream.frameHeight),
            "frozenSeconds": JSONValue(stream.frozenSeconds), "freezeCount": JSONValue(stream.freezeCount),
            "metrics": JSONValue(metrics: stream.metrics),
            "wire": stream.wire.map { JSONWireStream($0).value } ?? .null,
        ]
    }
}
