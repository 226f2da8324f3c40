import CallModel

extension OpenAPI {
    static let schemas = #"""
        {
          "Health": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}, "damage": {"type": "string", "description": "GET /readyz: that something which is stored cannot be read; the rest can, and calls are taken."}, "shipping": {"enum": ["shipping", "retrying", "blocked"], "description": "GET /readyz, where calls are shipped to another store: whether they are, or wait here until that can be tried again, or until somebody sets something right there."}}, "additionalProperties": false},
          "Error": {
            "type": "object", "required": ["error"],
            "properties": {"error": {"$ref": "#/components/schemas/Fault"}}, "additionalProperties": false
          },
          "Fault": {
            "type": "object", "required": ["reason", "message"], "additionalProperties": false,
            "properties": {
              "reason": {"enum": ["malformed", "unrecognised", "missing_member", "wrong_type", "too_large", "evicted", "bad_parameter", "bad_request", "unknown_call", "unknown_record", "unknown_path", "method_not_allowed", "unsupported_media_type", "unsupported_encoding", "overloaded", "starting", "stopping", "store_unavailable", "store_damaged", "shared_store_unavailable", "internal", "missing_token", "bad_authorization", "unknown_token", "expired_token", "missing_scope", "origin_not_allowed", "host_not_allowed", "too_many_requests", "too_many_calls", "too_many_connections"]},
              "message": {"type": "string", "description": "What was wrong, where, and what was expected."}
            }
          },
          "RefusedPart": {
            "type": "object", "required": ["index", "reason", "message"], "additionalProperties": false,
            "properties": {
              "index": {"type": "integer", "minimum": 0, "description": "Position in the message, from 0: array element, or line that is not blank."},
              "reason": {"enum": ["malformed", "unrecognised", "missing_member", "wrong_type", "too_large", "evicted", "too_many_calls"]},
              "message": {"type": "string"}
            }
          },
          "Receipt": {
            "type": "object", "additionalProperties": false,
            "required": ["accepted", "repeated", "contradicted", "refused", "unknownTypes", "unknownProperties"],
            "properties": \#(receiptProperties)
          },
          "Refusal": {
            "description": "An error, and what became of each part when the message was understood that far.",
            "type": "object", "required": ["error"], "additionalProperties": false,
            "properties": {"error": {"$ref": "#/components/schemas/Fault"}, \#(receiptProperties.dropFirst())
          },
          "Report": {
            "description": "A getStats() report or several, in any of the shapes named above.",
            "type": ["object", "array", "string"]
          },
          "EventMessage": {
            "description": "An event as the SDKs give it. Members that are not known are kept.",
            "type": "object", "required": ["time"],
            "properties": {
              "callId": {"type": "string"},
              "observer": {"type": "string"},
              "time": {"description": "Milliseconds since 1970, as a number or text, or ISO 8601.", "type": ["integer", "number", "string"]},
              "action": {"type": "string", "examples": ["callMetric", "iceState", "ipChange"]},
              "type": {"type": "string", "examples": ["callCreate", "iceConnected"]}
            }
          },
          \#(wireSchemas),
          \#(importSchemas),
          "Moment": {"type": ["string", "null"], "format": "date-time"},
          "Span": {
            "type": ["object", "null"], "required": ["start", "end", "milliseconds"], "additionalProperties": false,
            "properties": {
              "start": {"$ref": "#/components/schemas/Moment"}, "end": {"$ref": "#/components/schemas/Moment"},
              "milliseconds": {"type": ["integer", "null"]}
            }
          },
          "Score": {"description": "Quality, 100 = nothing to hear or see.", "type": ["integer", "null"], "minimum": 0, "maximum": 100},
          "Points": {"description": "Points lost by cause.", "type": "object", "additionalProperties": {"type": "number"}},
          "Band": {"enum": ["excellent", "good", "fair", "poor", "bad", null]},
          "Names": {"type": "array", "items": {"type": "string"}},
          "Count": {"type": ["integer", "null"]},
          "Figure": {"type": ["number", "null"]},
          "Damage": {"description": "What is stored of the record and cannot be read: the rest is shown without it. Empty but after a fault of the disk or of this program.", "type": "array", "items": {
            "type": "object", "required": ["part", "message"], "additionalProperties": false,
            "properties": {"part": {"enum": \#(damagedParts)}, "message": {"type": "string"}}
          }},
          "CallPage": {
            "type": "object", "required": ["calls", "next"], "additionalProperties": false,
            "properties": {
              "calls": {"type": "array", "items": {"$ref": "#/components/schemas/CallHead"}},
              "next": {"description": "For cursor; null on the last page.", "type": ["string", "null"]}
            }
          },
          "CallHead": \#(object(members: head + "," + listed)),
          "Fleet": \#(object(members: fleet)),
          "CallSummary": \#(object(members: head + "," + summary)),
          "CallReport": \#(object(members: head + "," + summary + "," + series)),
          "CallRecords": \#(records(of: reference("CallSummary"))),
          "ReportRecords": \#(records(of: reference("CallReport"))),
          "EventRecords": \#(records(of: record(#""events":{"type":"array","items":\#(reference("Event"))},"damage":\#(reference("Damage"))"#))),
          "SeriesRecords": \#(records(of: record(seriesRecord))),
          "ThinnedRow": {"type": "object", "required": ["start", "end", "heldSeconds"],
            "description": "With points: one row, or several joined, with the figures that are known; one that varies is its least and its most.",
            "properties": {"start": {"$ref": "#/components/schemas/Moment"}, "end": {"$ref": "#/components/schemas/Moment"}, "heldSeconds": {"type": "number", "minimum": 0}},
            "additionalProperties": {"anyOf": [{"type": "number"}, {"type": "object", "required": ["min", "max"], "additionalProperties": false,
              "properties": {"min": {"type": "number"}, "max": {"type": "number"}}}]}},
          "FactRecords": \#(records(of: record(factsRecord))),
          "StatsReport": \#(object(members: statsReport)),
          \#(parts)
        }
        """#

    static let receiptProperties = #"""
        {
          "accepted": {"type": "integer", "minimum": 0, "description": "Stored."},
          "repeated": {"type": "integer", "minimum": 0, "description": "Known already; nothing changed."},
          "contradicted": {"type": "integer", "minimum": 0, "description": "Stored beside other content under the same key."},
          "refused": {"type": "array", "items": {"$ref": "#/components/schemas/RefusedPart"}},
          "unknownTypes": {"description": "Event types that are not known, as action/type, and such types of statistics objects; stored all the same.", "$ref": "#/components/schemas/Names"},
          "unknownProperties": {"description": "Members that are not known.", "$ref": "#/components/schemas/Names"}
        }
        """#

    private static var damagedParts: String {
        "[" + RecordDamage.Part.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + "]"
    }

    private static let seriesRecord = #"""
        "isDirty": {"type": "boolean"},
        "damage": {"$ref": "#/components/schemas/Damage"},
        "streams": {"type": "array", "items": {"$ref": "#/components/schemas/StreamSeries"}},
        "scores": {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/ScorePoint"}, {"$ref": "#/components/schemas/ThinnedRow"}]}},
        "windows": {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/ScorePoint"}, {"$ref": "#/components/schemas/ThinnedRow"}]}},
        "emitted": {"type": "array", "items": {
          "type": "object", "required": ["time", "score"], "additionalProperties": false,
          "properties": {"time": {"$ref": "#/components/schemas/Moment"}, "score": {"$ref": "#/components/schemas/Score"}}
        }}
        """#

    /// An object with the call's identifier and its records.
    private static func records(of schema: String) -> String {
        #"{"type":"object","required":["callId","records"],"additionalProperties":false,"properties":"#
            + #"{"callId":{"type":"string"},"records":{"type":"array","minItems":1,"items":\#(schema)}}}"#
    }

    /// A record with its key and `members`.
    private static func record(_ members: String) -> String {
        object(
            members: #""callId":{"type":"string"},"observer":{"type":"string"},"#
                + #""attempt":{"type":"integer","minimum":1},"# + members)
    }

    /// An object that has exactly `members`.
    static func object(members: String) -> String {
        let required = names(members)
        return #"{"type":"object","additionalProperties":false,"required":[\#(required)],"properties":{\#(members)}}"#
    }

    static func reference(_ schema: String) -> String {
        ##"{"$ref":"#/components/schemas/\##(schema)"}"##
    }

    /// The names of the members of `{members}`, quoted: those at the outermost level.
    private static func names(_ members: String) -> String {
        var depth = 0
        var names: [Substring] = []
        let parts = members.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            guard index.isMultiple(of: 2) else {
                let isName = depth == 0 && index + 1 < parts.count && parts[index + 1].hasPrefix(":")
                if isName { names.append(part) }
                continue
            }
            depth += part.reduce(0) { $0 + ("{[".contains($1) ? 1 : "}]".contains($1) ? -1 : 0) }
        }
        return names.map { "\"\($0)\"" }.joined(separator: ",")
    }
}
