import CallModel

// The members of a summary that are about the call as a whole.

extension CallIdentity: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("tenant", tenant)
        writer.put("call", call)
    }
}

extension CallKey: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("identity", identity)
        writer.put("observer", observer)
        writer.put("attempt", attempt)
    }
}

extension TimeSpan: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("start", start)
        writer.put("end", end)
    }
}

extension CallSummary: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("key", key)
        writer.put("rulesVersion", rulesVersion)
        writer.put("start", start)
        writer.put("lastActivity", lastActivity)
        writer.put("lastReceivedAt", lastReceivedAt)
        writer.put("endedAt", endedAt)
        writer.put("endReason", endReason)
        writer.put("outcome", outcome)
        writer.put("client", client)
        writer.put("createdAt", createdAt)
        writer.put("firstMediaAt", firstMediaAt)
        writer.put("score", score)
        writer.put("worstScore", worstScore)
        writer.put("worstSpan", worstSpan)
        writer.put("farEndScore", farEndScore)
        writer.put("costs", costs)
        writer.put("scoredSeconds", scoredSeconds)
        writer.put("heldSeconds", heldSeconds)
        writer.put("secondsByBand", secondsByBand)
        writer.put("openWindow", openWindow)
        writer.put("missing", missing)
        writer.put("basis", basis)
        writer.put("rating", rating)
        writer.put("setup", setup)
        writer.put("iceDisconnects", iceDisconnects)
        writer.put("ipChanges", ipChanges)
        writer.put("outages", outages)
        writer.put("holds", holds)
        writer.put("streams", streams)
        writer.put("path", path)
        writer.put("transport", transport)
        writer.put("isOneWay", isOneWay)
        writer.put("dataQuality", dataQuality)
        writer.put("sensor", sensor)
        writer.put("secondaryStreams", secondaryStreams)
        writer.put("course", course)
        writer.put("issues", issues)
        writer.put("aliases", aliases)
    }
}

extension ScoreInterval: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("series", series)
        writer.put("start", start)
        writer.put("end", end)
        writer.put("score", score)
        writer.put("audioScore", audioScore)
        writer.put("videoScore", videoScore)
        writer.put("costs", costs)
        writer.put("absence", absence)
        writer.put("missing", missing)
        writer.put("heldSeconds", heldSeconds)
        writer.put("rating", rating)
        writer.put("isEmitted", isEmitted)
    }
}

extension MediaOutage: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("span", span)
        writer.put("seconds", seconds)
        writer.put("evidence", evidence)
    }
}

extension MediaHold: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("span", span)
        writer.put("seconds", seconds)
        writer.put("isSenderPause", isSenderPause)
    }
}

extension DataQuality: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("reports", reports)
        writer.put("events", events)
        writer.put("medianIntervalMilliseconds", medianIntervalMilliseconds)
        writer.put("gaps", gaps)
        writer.put("contradictions", contradictions)
        writer.put("counterResets", counterResets)
        writer.put("clockOffsetMilliseconds", clockOffsetMilliseconds)
        writer.put("missedReports", missedReports)
        writer.put("clockStepMilliseconds", clockStepMilliseconds)
        writer.put("clock", clock)
        writer.put("unknownEvents", unknownEvents)
        writer.put("notes", notes)
    }
}

extension ClientClock: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("steps", steps)
        writer.put("usualMilliseconds", usualMilliseconds)
    }
}

extension ClientClock.Step: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("receivedAfter", receivedAfter)
        writer.put("offsetMilliseconds", offsetMilliseconds)
    }
}

extension SensorHealth: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("packetsDroppedByKernel", packetsDroppedByKernel)
        writer.put("packetsDroppedByInterface", packetsDroppedByInterface)
        writer.put("holes", holes)
        writer.put("packetsRecordedTwice", packetsRecordedTwice)
        writer.put("packetsCutShort", packetsCutShort)
        writer.put("unseenMedia", unseenMedia)
        writer.put("watchedUntil", watchedUntil)
    }
}

extension CallIssues: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("all", all)
        writer.put("leftOut", leftOut)
    }
}

extension CallIssue: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("kind", kind)
        writer.put("severity", severity)
        writer.put("stream", stream)
        writer.put("span", span)
        writer.put("isOpen", isOpen)
        writer.put("worst", worst)
        writer.put("evidence", evidence)
        writer.put("cause", cause)
    }
}

extension CallIssue.Measure: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("value", value)
        writer.put("unit", unit)
    }
}

extension CallIssue.Evidence: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("member", member)
        writer.put("value", value)
        writer.put("text", text)
    }
}

extension SetupLatencies: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("restSentDelay", restSentDelay)
        writer.put("postDialDelay", postDialDelay)
        writer.put("networkPostDialDelay", networkPostDialDelay)
        writer.put("ringTime", ringTime)
        writer.put("answerDelay", answerDelay)
        writer.put("iceConnectTime", iceConnectTime)
        writer.put("mediaSetup", mediaSetup)
        writer.put("iceGatheringUpperBound", iceGatheringUpperBound)
        writer.put("iceOutcome", iceOutcome)
        writer.put("firstMediaAfter", firstMediaAfter)
        writer.put("firstMediaBy", firstMediaBy)
        writer.put("callDuration", callDuration)
        writer.put("totalDuration", totalDuration)
        writer.put("sessionRequestDelay", sessionRequestDelay)
        writer.put("sessionDisconnectDelay", sessionDisconnectDelay)
        writer.put("sessionDurationTime", sessionDurationTime)
        writer.put("ringTimeUnanswered", ringTimeUnanswered)
        writer.put("mediaPendingTime", mediaPendingTime)
        writer.put("alertToAnswer", alertToAnswer)
        writer.put("requestAccepted", requestAccepted)
        writer.put("connectTime", connectTime)
        writer.put("firstQualityDelay", firstQualityDelay)
        writer.put("registrationTime", registrationTime)
        writer.put("timeoutSlack", timeoutSlack)
        writer.put("isGatheringReported", isGatheringReported)
        writer.put("isEndKnown", isEndKnown)
        writer.put("anomalies", anomalies)
    }
}
