import CallModel

// The members of a summary that are about its course.

extension CallCourse: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("phases", phases)
        writer.put("tellsStates", tellsStates)
        writer.put("endCause", endCause)
        writer.put("lanes", lanes)
        writer.put("handovers", handovers)
        writer.put("mostRetries", mostRetries)
        writer.put("lostConnections", lostConnections)
        writer.put("problems", problems)
        writer.put("operations", operations)
        writer.put("tonesSent", tonesSent)
        writer.put("configuration", configuration)
        writer.put("reportedQuality", reportedQuality)
        writer.put("namedSources", namedSources)
        writer.put("reportedDurationMilliseconds", reportedDurationMilliseconds)
        writer.put("unfittingDuration", unfittingDuration)
    }
}

extension PhaseChange: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("time", time)
        writer.put("phase", phase)
    }
}

extension CallProblem: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("time", time)
        writer.put("kind", kind)
        writer.put("name", name)
    }
}

extension OperationCount: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("name", name)
        writer.put("succeeded", succeeded)
        writer.put("failed", failed)
        writer.put("asked", asked)
    }
}

extension CallLane: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("kind", kind)
        writer.put("span", span)
        writer.put("value", value)
    }
}

extension CallConfiguration: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("iceTimeoutSeconds", iceTimeoutSeconds)
        writer.put("usesTrickle", usesTrickle)
        writer.put("auditSeconds", auditSeconds)
        writer.put("mediaSections", mediaSections)
        writer.put("answeredMediaSections", answeredMediaSections)
        writer.put("audioLimitKilobitsPerSecond", audioLimitKilobitsPerSecond)
        writer.put("videoLimitKilobitsPerSecond", videoLimitKilobitsPerSecond)
        writer.put("packetMilliseconds", packetMilliseconds)
        writer.put("usesDTX", usesDTX)
        writer.put("usesFEC", usesFEC)
        writer.put("opusKilobitsPerSecond", opusKilobitsPerSecond)
        writer.put("maximumPlaybackHertz", maximumPlaybackHertz)
        writer.put("wantedWidth", wantedWidth)
        writer.put("wantedHeight", wantedHeight)
        writer.put("wantedFramesPerSecond", wantedFramesPerSecond)
        writer.put("ringSeconds", ringSeconds)
    }
}

extension ReportedQuality: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("mean", mean)
        writer.put("minimum", minimum)
        writer.put("coveredSeconds", coveredSeconds)
        writer.put("secondsBelow60", secondsBelow60)
        writer.put("changes", changes)
        writer.put("meanDifference", meanDifference)
    }
}
