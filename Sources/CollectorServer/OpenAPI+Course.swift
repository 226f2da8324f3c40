import CallModel

/// The schema of what happened in a call besides its media.
extension OpenAPI {
    /// Why a call ended.
    static var causes: String {
        choices(CallEndCause.allCases.map(\.rawValue), isOptional: true)
    }

    static var course: String {
        #"""
        "phases": {"type": "array", "items": \#(object(members: phase))},
        "lanes": {"type": "array", "items": \#(object(members: lane))},
        "handovers": {"type": "integer", "minimum": 0},
        "lostConnections": {"type": "integer", "minimum": 0},
        "problems": {"type": "array", "items": \#(object(members: problem))},
        "operations": {"type": "array", "items": \#(object(members: operation))},
        "tonesSent": {"type": "integer", "minimum": 0, "description": "Their digits are never kept."},
        "configuration": {"oneOf": [{"type": "null"}, \#(object(members: configuration))]},
        "reportedQuality": {"description": "The quality that the client computed itself.", "oneOf": [{"type": "null"}, \#(object(members: quality))]},
        "namedSources": {"$ref": "#/components/schemas/Names"}
        """# + "," + counts("mostRetries", "reportedDurationMilliseconds") + "," + figures("unfittingDuration")
    }

    /// A change of a picture that is sent.
    static var pictureChange: String {
        members(["time"], reference("Moment")) + "," + members(["from", "to"], reference("Picture")) + ","
            + members(
                ["limit"], #"{"enum": \#(choices(PictureChange.Limit.allCases.map(\.rawValue), isOptional: true))}"#)
    }

    /// The size and rate of a picture.
    static var picture: String {
        members(["widthPixels", "heightPixels"], #"{"type": "integer"}"#) + "," + figures("framesPerSecond")
    }

    private static var phase: String {
        members(["time"], reference("Moment")) + ","
            + members(["phase"], enumeration(CallPhase.allCases.map(\.rawValue)))
    }

    private static var lane: String {
        members(["start", "end"], reference("Moment")) + "," + texts("value") + ","
            + members(["kind"], enumeration(CallLane.Kind.allCases.map(\.rawValue)))
    }

    private static var problem: String {
        members(["time"], reference("Moment")) + "," + members(["name"], #"{"type": "string"}"#) + ","
            + members(["kind"], enumeration(CallProblem.Kind.allCases.map(\.rawValue)))
    }

    private static var operation: String {
        #""name": {"type": "string"},"#
            + members(["succeeded", "failed", "asked"], #"{"type": "integer", "minimum": 0}"#)
    }

    private static var configuration: String {
        members(["usesTrickle", "usesDTX", "usesFEC"], #"{"type": ["boolean", "null"]}"#) + ","
            + counts(
                "mediaSections", "answeredMediaSections", "maximumPlaybackHertz", "wantedWidthPixels",
                "wantedHeightPixels")
            + ","
            + figures(
                "iceTimeoutSeconds", "auditSeconds", "audioLimitKilobitsPerSecond", "videoLimitKilobitsPerSecond",
                "packetMilliseconds", "opusKilobitsPerSecond", "wantedFramesPerSecond", "ringSeconds")
    }

    private static var quality: String {
        members(["mean", "minimum", "coveredSeconds", "secondsBelow60"], #"{"type": "number"}"#) + ","
            + #""changes": {"type": "integer", "minimum": 0},"# + figures("meanDifference")
    }

    private static func enumeration(_ names: [String]) -> String { #"{"enum": \#(choices(names))}"# }

    private static func choices(_ names: [String], isOptional: Bool = false) -> String {
        "[" + (names.map { "\"\($0)\"" } + (isOptional ? ["null"] : [])).joined(separator: ", ") + "]"
    }
}
