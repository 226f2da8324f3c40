extension OpenAPI {
    /// One stream on its way, as several saw it.
    static let vantagePath = #"""
        "direction": {"enum": ["inbound", "outbound"]},
        "kind": {"enum": ["audio", "video"]},
        "source": {"type": "string", "description": "The SSRC in decimal."},
        "start": {"type": ["string", "null"], "format": "date-time"},
        "end": {"type": ["string", "null"], "format": "date-time"},
        "points": {"type": "array", "items": {"$ref": "#/components/schemas/VantagePoint"}, "description": "In order of the way: the sender, probes, the receiver."},
        "findings": {"type": "array", "items": {"$ref": "#/components/schemas/VantageFinding"}}
        """#

    /// What was seen at one point of the way.
    static let vantagePoint = #"""
        "place": {"enum": ["sender", "probe", "receiver"]},
        "observer": {"type": ["string", "null"], "description": "Who measured; null for an end that told it by RTCP."},
        \#(figures(
            "packets", "packetsLost", "lossPercent", "uncertainPercent", "jitterMilliseconds", "packetsDiscarded",
            "concealedPercent"))
        """#

    /// What befell the stream between two points.
    static let vantageFinding = #"""
        "what": {"enum": ["lost", "unrecorded", "cutOff", "neverArrived", "forwardedInPart", "jitter", "late", "discarded", "concealedWithoutLoss"]},
        \#(figures("percent", "seconds", "milliseconds")),
        "from": {"type": ["integer", "null"], "minimum": 0, "description": "Index in points; null for a sender of whom nothing is known."},
        "to": {"type": "integer", "minimum": 0},
        "sentence": {"type": "string"}
        """#
}
