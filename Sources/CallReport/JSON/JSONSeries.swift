public import CallModel

/// One point of a call's score as JSON; names as in ``JSONReport``.
public struct JSONScore: Sendable {
    /// The point as a value, to be set into an answer.
    public let value: JSONValue

    public init(_ score: ScoreInterval) {
        value = [
            "start": JSONValue(score.start), "end": JSONValue(score.end), "score": JSONValue(score.score),
            "audioScore": JSONValue(score.audioScore), "videoScore": JSONValue(score.videoScore),
            "costsPoints": JSONValue(score.costs), "absence": JSONValue(score.absence?.rawValue),
            "missing": JSONValue(score.missing), "heldSeconds": JSONValue(score.heldSeconds),
            "isEmitted": .bool(score.isEmitted),
            "rating": score.rating.map { JSONRating($0).value } ?? .null,
        ]
    }
}

/// One event as JSON; names as in ``JSONReport``.
public struct JSONEvent: Sendable {
    /// The event as a value, to be set into an answer.
    public let value: JSONValue

    /// - Parameters:
    ///   - event: What to show.
    ///   - createdAt: When the call was created: the anchor of L0, `millisecondsSinceCreation`.
    public init(_ event: CallEvent, createdAt: Timestamp?) {
        let delay = createdAt.map { event.time.milliseconds(since: $0) }.flatMap { $0 < 0 ? nil : $0 }
        value = [
            "time": JSONValue(event.time), "receivedAt": JSONValue(event.receivedAt),
            "action": .string(event.action), "type": .string(event.type), "sequence": JSONValue(event.sequence),
            "members": .object(event.members), "millisecondsSinceCreation": JSONValue(delay),
            "isContradicted": .bool(event.isContradicted),
        ]
    }
}

/// One stream over the span between two reports as JSON; names as in ``JSONReport``.
public struct JSONInterval: Sendable {
    /// The row as a value, to be set into an answer.
    public let value: JSONValue

    public init(_ interval: MediaInterval) {
        value = .object(
            [interval.stream.jsonMembers, Self.network(interval), Self.sound(interval), Self.picture(interval)]
                .reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } })
    }

    private static func network(_ interval: MediaInterval) -> JSONObject {
        [
            "start": JSONValue(interval.start), "end": JSONValue(interval.end),
            "segment": JSONValue(interval.segment), "heldSeconds": JSONValue(interval.heldSeconds),
            "packets": JSONValue(interval.packets), "packetsLost": JSONValue(interval.packetsLost),
            "lossPercent": JSONValue(interval.lossPercent),
            "packetsDiscarded": JSONValue(interval.packetsDiscarded),
            "bitrateKilobitsPerSecond": JSONValue(interval.bitrateKilobitsPerSecond),
            "jitterMilliseconds": JSONValue(interval.jitterMilliseconds),
            "roundTripMilliseconds": JSONValue(interval.roundTripMilliseconds),
            "targetKilobitsPerSecond": JSONValue(interval.targetKilobitsPerSecond),
            "cpuLimitedPercent": JSONValue(interval.cpuLimitedPercent),
            "bandwidthLimitedPercent": JSONValue(interval.bandwidthLimitedPercent),
            "metrics": JSONValue(metrics: interval.metrics),
        ]
    }

    private static func sound(_ interval: MediaInterval) -> JSONObject {
        [
            "concealedPercent": JSONValue(interval.concealedPercent),
            "silentConcealedPercent": JSONValue(interval.silentConcealedPercent),
            "stretchedPercent": JSONValue(interval.stretchedPercent),
            "concealmentEvents": JSONValue(interval.concealmentEvents),
            "jitterBufferMilliseconds": JSONValue(interval.jitterBufferMilliseconds),
            "audioLevelDecibels": JSONValue(interval.audioLevelDecibels),
        ]
    }

    private static func picture(_ interval: MediaInterval) -> JSONObject {
        [
            "framesPerSecond": JSONValue(interval.framesPerSecond),
            "frameWidthPixels": JSONValue(interval.frameWidth),
            "frameHeightPixels": JSONValue(interval.frameHeight),
            "frozenSeconds": JSONValue(interval.frozenSeconds), "freezeCount": JSONValue(interval.freezeCount),
            "meanQuantizer": JSONValue(interval.meanQuantizer),
        ]
    }
}
