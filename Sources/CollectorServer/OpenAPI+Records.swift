import CallModel

/// The schemas of call records. Every member is always there, but for those of `Metrics`; what is not known is null.
extension OpenAPI {
    /// Members of a record in a list.
    static var head: String {
        #"""
        "callId": {"type": "string"},
        "observer": {"type": "string"},
        "client": {"type": ["string", "null"], "description": "What program this end is, as it calls itself: Chrome 148."},
        "attempt": {"type": "integer", "minimum": 1},
        "state": {"enum": ["live", "ended"]},
        "isDirty": {"type": "boolean", "description": "Whether facts have arrived that the figures do not take in yet."},
        "damage": {"$ref": "#/components/schemas/Damage"},
        "outcome": {"enum": ["connected", "notConnected", "notAnswered", "unknown"]},
        "endReason": {"type": ["string", "null"], "description": "In the client's words and code."},
        "endCause": {"enum": \#(causes)},
        "ending": {"type": ["string", "null"], "description": "Both in words, as the text report has them."},
        "verdict": {"type": "string", "description": "In words."},
        "start": {"$ref": "#/components/schemas/Moment"},
        "endedAt": {"$ref": "#/components/schemas/Moment"},
        "lastActivity": {"$ref": "#/components/schemas/Moment"},
        "score": {"$ref": "#/components/schemas/Score"},
        "band": {"$ref": "#/components/schemas/Band"},
        "worstScore": {"$ref": "#/components/schemas/Score"},
        "leadingCause": {"type": ["string", "null"]},
        "scoredSeconds": {"type": "number"}
        """#
    }

    /// What a summary has beyond the head.
    static let summary = #"""
        "rulesVersion": {"type": "integer"},
        "farEndScore": {"$ref": "#/components/schemas/Score"},
        "createdAt": {"$ref": "#/components/schemas/Moment"},
        "firstMediaAt": {"$ref": "#/components/schemas/Moment"},
        "lastReceivedAt": {"$ref": "#/components/schemas/Moment"},
        "worstSpan": {"$ref": "#/components/schemas/Span"},
        "costsPoints": {"$ref": "#/components/schemas/Points"},
        "heldSeconds": {"type": "number"},
        "secondsByBand": {"type": "object", "additionalProperties": {"type": "number"}},
        "missing": {"$ref": "#/components/schemas/Names"},
        "basis": {"$ref": "#/components/schemas/Basis"},
        "rating": {"$ref": "#/components/schemas/Rating"},
        "aliases": {"description": "Other names of the call, as header: value, from SIP on the wire.", "$ref": "#/components/schemas/Names"},
        "names": {"description": "Other names of the call, from whoever told them, but for SSRCs.", "type": "array", "items": {"$ref": "#/components/schemas/CallName"}},
        "relatedCalls": {"description": "Calls with other ids that are this one, seen from elsewhere.", "type": "array", "items": {"$ref": "#/components/schemas/RelatedCall"}},
        "setup": {"$ref": "#/components/schemas/Setup"},
        "streams": {"description": "Over the call. packets, packetsLost, lossPercent, packetsDiscarded, concealedPercent, stretchedPercent and jitterBufferMilliseconds are by the counters themselves, from the beginning of the stream; all else is of the time that was reported.", "type": "array", "items": {"$ref": "#/components/schemas/Stream"}},
        "secondaryStreams": {"type": "array", "items": {"$ref": "#/components/schemas/WireStream"}},
        "sensor": {"$ref": "#/components/schemas/Sensor"},
        "path": {"$ref": "#/components/schemas/Path"},
        "transport": {"$ref": "#/components/schemas/Transport"},
        "isOneWay": {"type": ["boolean", "null"], "description": "Whether sound went one way only for a while."},
        "outages": {"type": "array", "items": {"$ref": "#/components/schemas/Outage"}},
        "holds": {"type": "array", "items": {"$ref": "#/components/schemas/Hold"}},
        "iceDisconnects": {"type": "array", "items": {"$ref": "#/components/schemas/Span"}},
        "ipChanges": {"type": "array", "items": {"$ref": "#/components/schemas/Span"}},
        "issues": {"description": "What went wrong, most severe first; docs/issues.md.", "type": "array", "items": {"$ref": "#/components/schemas/Issue"}},
        "issuesLeftOut": {"type": "integer", "minimum": 0},
        "course": {"$ref": "#/components/schemas/Course"},
        "dataQuality": {"$ref": "#/components/schemas/DataQuality"}
        """#

    /// What a report has beyond the summary.
    static let series = #"""
        "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
        "scores": {"type": "array", "items": {"$ref": "#/components/schemas/ScorePoint"}},
        "windows": {"type": "array", "items": {"$ref": "#/components/schemas/ScorePoint"}},
        "intervals": {"type": "array", "items": {"$ref": "#/components/schemas/NamedInterval"}},
        "otherObservers": {"type": "array", "items": {"$ref": "#/components/schemas/OtherObserver"}, "maxItems": 64},
        "vantagePoints": {"type": "array", "items": {"$ref": "#/components/schemas/VantagePath"}, "description": "Streams and what each observer saw of them; see docs/vantage-points.md."}
        """#

    /// Schemas that the records are made of.
    static var parts: String {
        let parts: [(name: String, members: String)] = [
            ("Setup", setup), ("Path", path), ("Transport", transport), ("Outage", outage), ("Hold", hold),
            ("DataQuality", dataQuality), ("Course", course), ("Issue", issue),
            ("PictureChange", pictureChange), ("Picture", picture),
            ("Stream", streamName + "," + stream), ("Event", event), ("ScorePoint", scorePoint),
            ("Interval", interval), ("NamedInterval", streamName + "," + interval), ("OtherObserver", otherObserver),
            ("CallName", callName), ("RelatedCall", relatedCall), ("VantagePath", vantagePath),
            ("VantagePoint", vantagePoint), ("VantageFinding", vantageFinding),
            (
                "StreamSeries",
                streamName + #","intervals":{"type":"array","items":{"anyOf":["#
                    + #"\#(reference("Interval")),\#(reference("ThinnedRow"))]}}"#
            ),
        ]
        let exact = parts.map { #""\#($0.name)":\#(object(members: $0.members))"# }
        return (exact + [metrics, wireParts, rating]).joined(separator: ",")
    }

    /// The one object whose members are there only when they are known: most engines allow few of them.
    private static let metrics =
        #""Metrics":{"type":"object","additionalProperties":false,"description":"Those known; see docs/metrics.md.","#
        + #""properties":{\#(members(StreamMetric.allCases.map(\.rawValue), #"{"type":"number"}"#))}}"#

    static let streamName = #"""
        "connection": {"type": "string"},
        "direction": {"enum": ["inbound", "outbound"]},
        "kind": {"enum": ["audio", "video"]},
        "ssrc": {"type": "string"}
        """#

    private static let setup =
        counts(
            "restSentDelayMilliseconds", "postDialDelayMilliseconds", "networkPostDialDelayMilliseconds",
            "ringTimeMilliseconds", "answerDelayMilliseconds", "iceConnectTimeMilliseconds", "mediaSetupMilliseconds",
            "iceGatheringUpperBoundMilliseconds", "firstMediaAfterMilliseconds", "firstMediaByMilliseconds",
            "callDurationMilliseconds", "totalDurationMilliseconds", "sessionRequestDelayMilliseconds",
            "sessionDisconnectDelayMilliseconds", "sessionDurationTimeMilliseconds", "ringTimeUnansweredMilliseconds",
            "mediaPendingTimeMilliseconds", "alertToAnswerMilliseconds", "requestAcceptedMilliseconds",
            "connectTimeMilliseconds", "firstQualityDelayMilliseconds", "registrationTimeMilliseconds",
            "timeoutSlackMilliseconds")
            + #"""
            ,"isGatheringReported": {"type": ["boolean", "null"]}
            ,"iceOutcome": {"enum": ["normal", "oneRelay", "noRelay", null]},
            "isEndKnown": {"type": "boolean"},
            "anomalies": {"$ref": "#/components/schemas/Names"}
            """#

    private static let path =
        texts(
            "localType", "remoteType", "protocol", "relayProtocol", "networkType", "localAddress", "remoteAddress")
            + #"""
            ,"isRelayed": {"type": ["boolean", "null"]},
            "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Moment"}},
            "secondsByKind": {"type": "object", "additionalProperties": {"type": "number"}},
            "roundTripMilliseconds": {"$ref": "#/components/schemas/Figure"}
            """#

    private static let transport =
        texts("tlsVersion", "dtlsCipher", "srtpCipher", "dtlsRole") + ","
        + counts("messagesSent", "messagesReceived") + ","
        + figures(
            "receivedKilobitsPerSecond", "sentKilobitsPerSecond", "leastAvailableKilobitsPerSecond",
            "meanAvailableKilobitsPerSecond", "answeredChecksPercent", "playoutDelayMilliseconds",
            "synthesizedPercent", "videoAfterAudioMilliseconds")
            + #"""
            ,"availableBitrateDrops": {"type": "integer", "minimum": 0}
            """#

    private static let hold = #"""
        "start": {"$ref": "#/components/schemas/Moment"},
        "end": {"$ref": "#/components/schemas/Moment"},
        "seconds": {"type": "number"},
        "isSenderPause": {"type": ["boolean", "null"]}
        """#

    private static let outage = #"""
        "start": {"$ref": "#/components/schemas/Moment"},
        "end": {"$ref": "#/components/schemas/Moment"},
        "seconds": {"type": "number"},
        "evidence": {"$ref": "#/components/schemas/Names"}
        """#

    private static let dataQuality =
        counts(
            "reports", "events", "medianIntervalMilliseconds", "contradictions", "counterResets",
            "clockOffsetMilliseconds", "missedReports", "clockStepMilliseconds")
            + #"""
            ,"gaps": {"type": "array", "items": {"$ref": "#/components/schemas/Span"}},
            "unknownEvents": {"$ref": "#/components/schemas/Names"},
            "notes": {"$ref": "#/components/schemas/Names"}
            """#

    private static let stream =
        counts(
            "clockRateHertz", "packets", "packetsLost", "packetsDiscarded", "resumeGapPackets", "frameWidthPixels",
            "frameHeightPixels", "freezeCount", "segments", "lossyIntervals", "intervals", "codecChanges",
            "resolutionChanges")
        + ","
        + figures(
            "lossPercent", "bitrateKilobitsPerSecond", "jitterMilliseconds", "maximumJitterMilliseconds",
            "roundTripMilliseconds", "concealedPercent", "stretchedPercent", "jitterBufferMilliseconds",
            "framesPerSecond", "frozenSeconds", "worstIntervalShareOfLossPercent", "silentSeconds", "deadSeconds")
        + "," + texts("codec", "formatParameters", "layer", "scalabilityMode", "contentType", "implementation")
            + #"""
            ,"isPowerEfficient": {"type": ["boolean", "null"]},
            "pictureChanges": {"type": "array", "items": {"$ref": "#/components/schemas/PictureChange"}},
            "wire": {"anyOf": [{"$ref": "#/components/schemas/WireStream"}, {"type": "null"}]},
            "metrics": {"$ref": "#/components/schemas/Metrics"},
            "score": {"$ref": "#/components/schemas/Score"},
            "worstScore": {"$ref": "#/components/schemas/Score"},
            "firstSeen": {"$ref": "#/components/schemas/Moment"},
            "lastSeen": {"$ref": "#/components/schemas/Moment"}
            """#

    private static let interval =
        counts(
            "segment", "packets", "packetsLost", "packetsDiscarded", "concealmentEvents", "frameWidthPixels",
            "frameHeightPixels", "freezeCount")
        + ","
        + figures(
            "heldSeconds", "lossPercent", "bitrateKilobitsPerSecond", "jitterMilliseconds", "roundTripMilliseconds",
            "targetKilobitsPerSecond", "cpuLimitedPercent", "bandwidthLimitedPercent", "concealedPercent",
            "silentConcealedPercent", "stretchedPercent", "jitterBufferMilliseconds", "audioLevelDecibels",
            "framesPerSecond", "frozenSeconds", "meanQuantizer")
            + #"""
            ,"metrics": {"$ref": "#/components/schemas/Metrics"},
            "start": {"$ref": "#/components/schemas/Moment"},
            "end": {"$ref": "#/components/schemas/Moment"}
            """#

    private static let event = #"""
        "time": {"$ref": "#/components/schemas/Moment"},
        "receivedAt": {"$ref": "#/components/schemas/Moment"},
        "action": {"type": "string"},
        "type": {"type": "string"},
        "sequence": {"$ref": "#/components/schemas/Count"},
        "members": {"type": "object", "description": "Every other member as the client sent it, secrets dropped."},
        "millisecondsSinceCreation": {"$ref": "#/components/schemas/Count"},
        "isContradicted": {"type": "boolean"}
        """#

    private static let scorePoint = #"""
        "start": {"$ref": "#/components/schemas/Moment"},
        "end": {"$ref": "#/components/schemas/Moment"},
        "score": {"$ref": "#/components/schemas/Score"},
        "audioScore": {"$ref": "#/components/schemas/Score"},
        "videoScore": {"$ref": "#/components/schemas/Score"},
        "costsPoints": {"$ref": "#/components/schemas/Points"},
        "absence": {"enum": ["held", "noMedia", "insufficient", null]},
        "missing": {"$ref": "#/components/schemas/Names"},
        "heldSeconds": {"type": "number"},
        "isEmitted": {"type": "boolean"},
        "rating": {"$ref": "#/components/schemas/Rating"}
        """#

    private static let callName = #"""
        "kind": {"enum": ["session", "header", "userToUser", "reportedSSRC", "observedSSRC"]},
        "name": {"type": "string"},
        "source": {"type": "string", "description": "The member or SIP header field that says it."}
        """#

    private static let knownBy = #"""
        "knownBy": {"type": "array", "items": {"$ref": "#/components/schemas/CallName"}, "description": "What says that it is the same call; empty where the callId does."},
        "isGuess": {"type": "boolean", "description": "Whether nothing but the same SSRC at the same time says so."}
        """#

    private static let relatedCall =
        #""callId": {"type": "string"}, "attempt": {"type": "integer", "minimum": 1},"# + knownBy

    private static let otherObserver =
        knownBy + #"""
            ,"callId": {"type": "string"},
            "observer": {"type": "string"},
            "attempt": {"type": "integer", "minimum": 1},
            "outcome": {"enum": ["connected", "notConnected", "notAnswered", "unknown"]},
            "score": {"$ref": "#/components/schemas/Score"},
            "worstScore": {"$ref": "#/components/schemas/Score"},
            "band": {"$ref": "#/components/schemas/Band"},
            "leadingCause": {"type": ["string", "null"]}
            """#

    static func counts(_ names: String...) -> String { members(names, reference("Count")) }

    static func figures(_ names: String...) -> String { members(names, reference("Figure")) }

    static func texts(_ names: String...) -> String { members(names, #"{"type":["string","null"]}"#) }

    static func members(_ names: [String], _ schema: String) -> String {
        names.map { "\"\($0)\":\(schema)" }.joined(separator: ",")
    }
}
