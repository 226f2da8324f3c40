import CallModel

/// What probes send.
extension OpenAPI {
    /// The path probes post to.
    static let wirePath = #"""
        "/v1/wire": {"post": {
          "operationId": "postWire", \#(needs(.ingest))
          "summary": "Take what probes saw of calls on the wire: wire reports and SIP events, one, an array, or JSON Lines.",
          "description": "A wire report says what was counted of the streams on their way to one end of a call since each began: one that gets lost costs detail and no truth. Addresses are cut to their network on arrival. At most 1 MiB, compressed and decompressed, and 1,000 streams a report.",
          "parameters": [{"$ref": "#/components/parameters/probe"}],
          "requestBody": {"content": {
            "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/WireMessage"}},
            "application/json": {
              "schema": {"anyOf": [
                {"$ref": "#/components/schemas/WireMessage"},
                {"type": "array", "items": {"$ref": "#/components/schemas/WireMessage"}}
              ]},
              "example": \#(example)
            }
          }},
          "responses": \#(ingestResponses)
        }}
        """#

    private static let example = #"""
        {"callId": "my-call", "observer": "wire:caller", "time": 1778000005000, "audioPacketsSent": 250, "sensor": {"packetsDroppedByKernel": 0}, "streams": [{"ssrc": 4711, "source": "10.77.0.0/24:4000", "destination": "10.78.0.0/24:5004", "kind": "audio", "payloadType": 0, "mimeType": "audio/PCMU", "clockRate": 8000, "clockOrigin": "static", "firstPacketAt": 1778000000000, "lastPacketAt": 1778000004980, "packetsReceived": 248, "packetsLost": 2, "jitter": 0.004, "lossRuns": [2]}]}
        """#

    /// The schemas of what probes send. Members that are not known are passed over.
    static let wireSchemas = #"""
        "WireMessage": {"anyOf": [{"$ref": "#/components/schemas/WireReport"}, {"$ref": "#/components/schemas/SIPEvent"}]},
        "WireReport": {
          "description": "What a probe has seen, up to a moment, of the media on their way to one end of a call.",
          "type": "object", "required": ["callId", "time", "streams"],
          "properties": {
            "callId": {"type": "string"},
            "observer": {"type": "string", "examples": ["wire:caller"]},
            "time": \#(reference("WireMoment")),
            "streams": {"type": "array", "maxItems": 1000, "items": \#(reference("WireStreamMessage"))},
            "sensor": \#(reference("SensorMessage")),
            "audioPacketsSent": {"type": "integer", "minimum": 0, "description": "Packets of audio the end itself has sent, as far as the probe saw."},
            "isAudioDue": {"type": "boolean", "default": true, "description": "Whether such packets are due: not while the end has told that it sends none, or sends them elsewhere by agreement."},
            "audioPacketsUndeliverable": {"type": "integer", "minimum": 0, "description": "Those that came back as undeliverable (ICMP), as far as hosts say it."}
          }
        },
        "WireStreamMessage": {
          "description": "One RTP stream since its first packet; figures that are not known are left out (docs/wire.md).",
          "type": "object", "required": ["ssrc", "kind", "payloadType", "firstPacketAt", "lastPacketAt"],
          "properties": {\#(streamMembers)}
        },
        "SensorMessage": {
          "description": "How well the capture did.",
          "type": "object",
          "properties": {
            "packetsDroppedByKernel": {"type": "integer", "minimum": 0},
            "packetsDroppedByInterface": {"type": "integer", "minimum": 0},
            "packetsRecordedTwice": {"type": "integer", "minimum": 0},
            "packetsCutShort": {"type": "integer", "minimum": 0},
            "unseenMedia": {"enum": ["all", "oneDirection", "otherLeg", null], "description": "What of the call's media the capture cannot have, by its place or its filter."},
            "watchedUntil": {"type": "integer", "description": "Until when the probe watched for media of the call, where that is after the last report of it; milliseconds since 1970."},
            "holes": {"type": "array", "maxItems": 1000, "items": \#(reference("WireSpan"))}
          }
        },
        "SIPEvent": {
          "description": "A SIP message the probe saw, as an event. Members that are not known are kept.",
          "type": "object", "required": ["callId", "time", "action", "type"],
          "properties": {
            "callId": {"type": "string"},
            "observer": {"type": "string"},
            "time": {"description": "Milliseconds since 1970, as a number or text.", "type": ["integer", "number", "string"]},
            "action": {"const": "sip"},
            "type": {"type": "string", "examples": ["INVITE", "180", "200", "BYE"]},
            "seq": {"type": "integer", "description": "Running number within the call."},
            "statusCode": {"type": "integer"},
            "aliases": {"description": "Other names of the call, as header: value.", "type": "array", "items": {"type": "string"}}
          }
        },
        "ReceiverMetricsMessage": {
          "description": "How a receiver of the stream says that it fares: its last VoIP metrics block (RFC 3611 §4.7); what is unavailable is left out.",
          "type": "object", "required": ["reportedAt", "reporter"],
          "properties": {"reportedAt": \#(reference("WireMoment")), \#(receiverMetrics)}
        },
        "WireMoment": {"description": "Milliseconds since 1970, in the years 2000 to 2099.", "type": ["integer", "string"]},
        "WireSpan": {
          "type": "object", "required": ["start"],
          "properties": {"start": \#(reference("WireMoment")), "end": {"type": ["integer", "string", "null"]}}
        }
        """#

    private static let streamMembers =
        #"""
        "id": {"type": "string", "description": "Unique in its report; the SSRC in decimal if not given."},
        "ssrc": {"type": "integer", "minimum": 0, "maximum": 4294967295},
        "source": {"type": "string"}, "destination": {"type": "string"},
        "kind": {"enum": ["audio", "video"]},
        "role": {"enum": ["primary", "retransmission", "repair", "events", "data", "hop"], "default": "primary"},
        "payloadType": {"type": "integer", "minimum": 0, "maximum": 127},
        "mimeType": {"type": "string", "examples": ["audio/PCMU"]},
        "clockRate": {"type": "integer", "minimum": 1, "description": "Hz."},
        "clockOrigin": {"enum": ["signalled", "static", "inferred"]},
        "sdpFmtpLine": {"type": "string"},
        "packetMilliseconds": {"type": "number"},
        "isEncrypted": {"type": "boolean"},
        "firstPacketAt": {"$ref": "#/components/schemas/WireMoment"},
        "lastPacketAt": {"$ref": "#/components/schemas/WireMoment"},
        "lastControlAt": {"$ref": "#/components/schemas/WireMoment"},
        "lastOutage": {"$ref": "#/components/schemas/WireSpan"},
        "receiverMetrics": {"type": "array", "maxItems": 4, "items": {"$ref": "#/components/schemas/ReceiverMetricsMessage"}},
        "lossRuns": {"type": "array", "maxItems": 10, "items": {"type": "integer", "minimum": 0}},
        "delayBuckets": {"type": "array", "maxItems": 8, "items": {"type": "integer", "minimum": 0}},
        """# + members(WireFigure.allCases.map(\.name), #"{"type":"number"}"#)
}

// MARK: - In answers

extension OpenAPI {
    /// Schemas of what records hold of the wire, and of what a score rests on.
    static let wireParts = [
        "\"Basis\":\(nullable(object(members: basis)))", "\"Sensor\":\(nullable(object(members: sensor)))",
        "\"WireStream\":\(object(members: wireStream))", "\"ReceiverMetrics\":\(object(members: receiverMetricsTold))",
        #""WireFigures":{"type":"object","additionalProperties":false,"description":"Those known; see docs/wire.md.","#
            + #""properties":{\#(members(WireFigure.allCases.map(\.name), #"{"type":"number"}"#))}}"#,
    ].joined(separator: ",")

    static func nullable(_ schema: String) -> String {
        #"{"anyOf":[\#(schema),{"type":"null"}]}"#
    }

    private static let basis =
        texts("codec") + ","
        + figures(
            "lossPercent", "meanLossRun", "latePercent", "concealedPercent", "stretchedPercent", "silentPercent",
            "networkDelayMilliseconds", "bufferDelayMilliseconds", "codecDelayMilliseconds")
            + #"""
            ,"rulesVersion": {"type": "integer"},
            "isRepairAssumed": {"type": ["boolean", "null"]}
            """#

    private static let sensor =
        counts(
            "packetsDroppedByKernel", "packetsDroppedByInterface", "packetsRecordedTwice", "packetsCutShort",
            "packetsUnrecorded")
            + #"""
            ,"holes": {"type": "array", "items": {"$ref": "#/components/schemas/Span"}},
            "unseenMedia": {"enum": ["all", "oneDirection", "otherLeg", null], "description": "What of the call's media the capture cannot have."},
            "watchedUntil": {"$ref": "#/components/schemas/Moment"},
            "isDoubtful": {"type": "boolean", "description": "Whether loss may be the capture's and not the network's."},
            "faults": {"type": "array", "items": {"type": "string"}, "description": "What went wrong, in words; times in UTC."}
            """#

    private static let wireStream =
        texts("codec", "formatParameters") + "," + counts("clockRate") + "," + figures("packetMilliseconds")
            + #"""
            ,"id": {"type": "string"},
            "ssrc": {"type": "integer", "minimum": 0, "maximum": 4294967295},
            "source": {"type": "string"},
            "destination": {"type": "string"},
            "kind": {"enum": ["audio", "video"]},
            "role": {"enum": ["primary", "retransmission", "repair", "events", "data", "hop"]},
            "payloadType": {"type": "integer", "minimum": 0, "maximum": 127},
            "clockOrigin": {"enum": ["signalled", "static", "inferred", null]},
            "isEncrypted": {"type": ["boolean", "null"]},
            "firstPacketAt": {"$ref": "#/components/schemas/Moment"},
            "lastPacketAt": {"$ref": "#/components/schemas/Moment"},
            "lastControlAt": {"$ref": "#/components/schemas/Moment"},
            "lastOutage": {"$ref": "#/components/schemas/Span"},
            "receiverMetrics": {"type": "array", "items": {"$ref": "#/components/schemas/ReceiverMetrics"}, "description": "How those who receive the stream say that they fare, the last VoIP metrics block of each (RFC 3611 §4.7)."},
            "figures": {"$ref": "#/components/schemas/WireFigures"},
            "lossRuns": {"type": "array", "items": {"type": "integer", "minimum": 0}},
            "delayBuckets": {"type": "array", "items": {"type": "integer", "minimum": 0}}
            """#
}
