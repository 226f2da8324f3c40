// What receivers of streams say that they fare, as probes send it and as records tell it.
extension OpenAPI {
    /// Members of what a probe sends, without its moment.
    static let receiverMetrics =
        #"""
        "reporter": {"type": "integer", "minimum": 0, "maximum": 4294967295, "description": "The SSRC that reports."},
        "reports": {"type": "integer", "minimum": 0, "description": "Such blocks so far."},
        "lossConcealment": {"enum": ["disabled", "enhanced", "standard"]},
        "isJitterBufferAdaptive": {"type": "boolean"},
        """# + members(shares, #"{"type":"number","minimum":0,"maximum":1}"#) + ","
        + members(scores, #"{"type":"number","minimum":1,"maximum":5}"#) + ","
        + members(lengths + wholes + factors, #"{"type":"integer","minimum":0}"#) + ","
        + members(levels, #"{"type":"integer"}"#)

    /// Members of what a record tells.
    static let receiverMetricsTold =
        #"""
        "reportedAt": {"$ref": "#/components/schemas/Moment"},
        "reporter": {"type": "integer", "minimum": 0, "maximum": 4294967295, "description": "The SSRC that reports."},
        "reports": {"type": "integer", "minimum": 0, "description": "Such blocks so far."},
        "lossConcealment": {"enum": ["disabled", "enhanced", "standard", null]},
        "isJitterBufferAdaptive": {"type": ["boolean", "null"]},
        """# + members(shares, #"{"type":"number","minimum":0,"maximum":1}"#) + ","
        + members(scores + lengths + wholes + factors + levels, #"{"type":["number","null"]}"#)

    private static let shares = ["lossRate", "discardRate", "burstDensity", "gapDensity"]
    private static let scores = ["listeningMOS", "conversationalMOS"]
    private static let factors = ["rFactor", "externalRFactor"]
    private static let wholes = ["minimumGap", "jitterBufferRate"]
    private static let lengths = [
        "burstMilliseconds", "gapMilliseconds", "roundTripMilliseconds", "endSystemMilliseconds",
        "jitterBufferNominalMilliseconds", "jitterBufferMaximumMilliseconds", "jitterBufferAbsoluteMaximumMilliseconds",
    ]
    private static let levels = ["signalLevelDecibels", "noiseLevelDecibels", "residualEchoReturnLossDecibels"]
}
