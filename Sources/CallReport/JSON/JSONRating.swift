import CallModel

/// R and mean opinion scores of the audio; names and units are those of ``TransmissionRating``.
struct JSONRating {
    let value: JSONValue

    init(_ rating: TransmissionRating) {
        value = [
            "band": .string(rating.band.rawValue), "recommendation": .string(rating.band.recommendation),
            "largestRating": JSONValue(rating.band.largestRating), "rFactor": JSONValue(rating.rFactor),
            "listeningRFactor": JSONValue(rating.listeningRFactor), "mosLQ": JSONValue(rating.mosLQ),
            "mosCQ": JSONValue(rating.mosCQ), "codecRow": .string(rating.codecRow),
            "isEstimate": .bool(rating.isEstimate),
            "equipmentImpairment": JSONValue(rating.equipmentImpairment),
            "lossRobustness": JSONValue(rating.lossRobustness), "lossPercent": JSONValue(rating.lossPercent),
            "burstRatio": JSONValue(rating.burstRatio),
            "oneWayDelayMilliseconds": JSONValue(rating.oneWayDelayMilliseconds),
        ]
    }
}
