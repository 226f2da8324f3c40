import CallModel

/// The E-model's view of the sound (docs/e-model.md).
extension OpenAPI {
    static let rating = "\"Rating\":\(nullable(object(members: ratingMembers)))"

    private static let ratingMembers =
        figures("rFactor", "mosCQ", "oneWayDelayMilliseconds") + ","
        + members(
            [
                "largestRating", "listeningRFactor", "mosLQ", "equipmentImpairment", "lossRobustness", "lossPercent",
                "burstRatio",
            ], #"{"type":"number"}"#)
            + #"""
            ,"band": {"enum": ["narrowband", "wideband", "fullband"], "description": "The scale; ratings of different bands must not be compared."},
            "recommendation": {"type": "string", "examples": ["ITU-T G.107"]},
            "codecRow": {"type": "string", "description": "The row of the codec table that was used."},
            "isEstimate": {"type": "boolean", "description": "Whether the row, or a figure of it, is an estimate."}
            """#
}
