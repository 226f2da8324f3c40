import CallModel

/// What happened besides the media.
struct JSONCourse {
    let value: JSONValue

    init(_ course: CallCourse) {
        value = [
            "phases": .array(course.phases.map { ["time": JSONValue($0.time), "phase": .string($0.phase.rawValue)] }),
            "lanes": .array(course.lanes.map(Self.lane)),
            "handovers": JSONValue(course.handovers),
            "mostRetries": JSONValue(course.mostRetries),
            "lostConnections": JSONValue(course.lostConnections),
            "problems": .array(course.problems.map(Self.problem)),
            "operations": .array(course.operations.map(Self.operation)),
            "tonesSent": JSONValue(course.tonesSent),
            "configuration": course.configuration.map(Self.configuration) ?? .null,
            "reportedQuality": course.reportedQuality.map(Self.quality) ?? .null,
            "namedSources": JSONValue(course.namedSources.map(String.init)),
            "reportedDurationMilliseconds": JSONValue(course.reportedDurationMilliseconds),
            "unfittingDuration": JSONValue(course.unfittingDuration),
        ]
    }

    private static func lane(_ lane: CallLane) -> JSONValue {
        [
            "kind": .string(lane.kind.rawValue), "start": JSONValue(lane.span.start), "end": JSONValue(lane.span.end),
            "value": JSONValue(lane.value),
        ]
    }

    private static func problem(_ problem: CallProblem) -> JSONValue {
        ["time": JSONValue(problem.time), "kind": .string(problem.kind.rawValue), "name": .string(problem.name)]
    }

    private static func operation(_ operation: OperationCount) -> JSONValue {
        [
            "name": .string(operation.name), "succeeded": JSONValue(operation.succeeded),
            "failed": JSONValue(operation.failed), "asked": JSONValue(operation.asked),
        ]
    }

    private static func quality(_ quality: ReportedQuality) -> JSONValue {
        [
            "mean": JSONValue(quality.mean), "minimum": JSONValue(quality.minimum),
            "coveredSeconds": JSONValue(quality.coveredSeconds), "secondsBelow60": JSONValue(quality.secondsBelow60),
            "changes": JSONValue(quality.changes), "meanDifference": JSONValue(quality.meanDifference),
        ]
    }

    private static func configuration(_ configuration: CallConfiguration) -> JSONValue {
        [
            "iceTimeoutSeconds": JSONValue(configuration.iceTimeoutSeconds),
            "usesTrickle": JSONValue(configuration.usesTrickle),
            "auditSeconds": JSONValue(configuration.auditSeconds),
            "mediaSections": JSONValue(configuration.mediaSections),
            "answeredMediaSections": JSONValue(configuration.answeredMediaSections),
            "audioLimitKilobitsPerSecond": JSONValue(configuration.audioLimitKilobitsPerSecond),
            "videoLimitKilobitsPerSecond": JSONValue(configuration.videoLimitKilobitsPerSecond),
            "packetMilliseconds": JSONValue(configuration.packetMilliseconds),
            "usesDTX": JSONValue(configuration.usesDTX),
            "usesFEC": JSONValue(configuration.usesFEC),
            "opusKilobitsPerSecond": JSONValue(configuration.opusKilobitsPerSecond),
            "maximumPlaybackHertz": JSONValue(configuration.maximumPlaybackHertz),
            "wantedWidthPixels": JSONValue(configuration.wantedWidth),
            "wantedHeightPixels": JSONValue(configuration.wantedHeight),
            "wantedFramesPerSecond": JSONValue(configuration.wantedFramesPerSecond),
            "ringSeconds": JSONValue(configuration.ringSeconds),
        ]
    }
}
