import CallModel

extension Records {
    /// Something of everything that a client may tell besides its statistics.
    static var richCourse: CallCourse {
        var course = CallCourse()
        course.phases = [
            PhaseChange(time: start, phase: .setup), PhaseChange(time: at(3_140), phase: .ringing),
            PhaseChange(time: at(9_430), phase: .active), PhaseChange(time: at(20_000), phase: .held),
            PhaseChange(time: at(30_000), phase: .active), PhaseChange(time: at(75_000), phase: .ended),
        ]
        (course.tellsStates, course.endCause) = (true, .remoteHangup)
        course.lanes = [
            CallLane(kind: .audioDevice, span: TimeSpan(start: start, end: nil), value: "BLUETOOTH"),
            CallLane(kind: .heldLocally, span: TimeSpan(start: at(20_000), end: at(30_000))),
            CallLane(kind: .interrupted, span: TimeSpan(start: at(61_000), end: at(63_500))),
            CallLane(kind: .networkUnreachable, span: TimeSpan(start: at(49_000), end: at(52_250))),
        ]
        (course.handovers, course.mostRetries, course.lostConnections) = (1, 3, 1)
        course.problems = [
            CallProblem(time: at(400), kind: .noCamera, name: "onOutboundVideoFailure"),
            CallProblem(time: at(41_000), kind: .operationFailed, name: "holdCallFailed, not now"),
        ]
        var operation = OperationCount(name: "holdcall")
        (operation.succeeded, operation.failed, operation.asked) = (1, 2, 0)
        (course.operations, course.tonesSent) = ([operation], 4)
        course.configuration = richConfiguration
        course.reportedQuality = ReportedQuality(
            mean: 81.5, minimum: 40, coveredSeconds: 55, secondsBelow60: 10, changes: 4, meanDifference: 12.3)
        (course.namedSources, course.reportedDurationMilliseconds) = ([4711, 815], 65_000)
        return course
    }

    private static var richConfiguration: CallConfiguration {
        var configuration = CallConfiguration()
        (configuration.iceTimeoutSeconds, configuration.usesTrickle, configuration.auditSeconds) = (4, false, 30)
        (configuration.mediaSections, configuration.answeredMediaSections) = (2, 1)
        (configuration.audioLimitKilobitsPerSecond, configuration.videoLimitKilobitsPerSecond) = (300, 1000)
        (configuration.packetMilliseconds, configuration.usesDTX, configuration.usesFEC) = (60, true, true)
        (configuration.opusKilobitsPerSecond, configuration.maximumPlaybackHertz) = (20, 16_000)
        (configuration.wantedWidth, configuration.wantedHeight) = (1280, 720)
        (configuration.wantedFramesPerSecond, configuration.ringSeconds) = (30, 40)
        return configuration
    }
}
