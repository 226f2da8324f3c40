import CallModel

// The members of a summary that are about its streams and what carries them.

extension StreamKey: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("connection", connection)
        writer.put("direction", direction)
        writer.put("kind", kind)
        writer.put("source", source)
    }
}

extension StreamSummary: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("stream", stream)
        writer.put("firstSeen", firstSeen)
        writer.put("lastSeen", lastSeen)
        writer.put("codec", codec)
        writer.put("clockRate", clockRate)
        writer.put("formatParameters", formatParameters)
        writer.put("packets", packets)
        writer.put("packetsLost", packetsLost)
        writer.put("lossPercent", lossPercent)
        writer.put("packetsDiscarded", packetsDiscarded)
        writer.put("resumeGapPackets", resumeGapPackets)
        writer.put("bitrateKilobitsPerSecond", bitrateKilobitsPerSecond)
        writer.put("jitterMilliseconds", jitterMilliseconds)
        writer.put("maximumJitterMilliseconds", maximumJitterMilliseconds)
        writer.put("roundTripMilliseconds", roundTripMilliseconds)
        writer.put("concealedPercent", concealedPercent)
        writer.put("stretchedPercent", stretchedPercent)
        writer.put("jitterBufferMilliseconds", jitterBufferMilliseconds)
        writer.put("framesPerSecond", framesPerSecond)
        writer.put("frameWidth", frameWidth)
        writer.put("frameHeight", frameHeight)
        writer.put("frozenSeconds", frozenSeconds)
        writer.put("freezeCount", freezeCount)
        writer.put("segments", segments)
        writer.put("metrics", metrics)
        writer.put("lossyIntervals", lossyIntervals)
        writer.put("intervals", intervals)
        writer.put("worstIntervalShareOfLossPercent", worstIntervalShareOfLossPercent)
        writer.put("silentSeconds", silentSeconds)
        writer.put("deadSeconds", deadSeconds)
        writer.put("layer", layer)
        writer.put("scalabilityMode", scalabilityMode)
        writer.put("content", content)
        writer.put("implementation", implementation)
        writer.put("isPowerEfficient", isPowerEfficient)
        writer.put("codecChanges", codecChanges)
        writer.put("resolutionChanges", resolutionChanges)
        writer.put("pictureChanges", pictureChanges)
        writer.put("score", score)
        writer.put("worstScore", worstScore)
        writer.put("wire", wire)
        writer.put("senderCount", senderCount)
    }
}

extension PictureChange: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("time", time)
        writer.put("from", from)
        writer.put("to", to)
        writer.put("limit", limit)
    }
}

extension PictureChange.Picture: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("width", width)
        writer.put("height", height)
        writer.put("framesPerSecond", framesPerSecond)
    }
}

extension SenderCount: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("packetsSent", packetsSent)
        writer.put("packetsExpected", packetsExpected)
        writer.put("seconds", seconds)
    }
}

extension ReceiverMetrics: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("reportedAt", reportedAt)
        writer.put("reporter", reporter)
        writer.put("reports", reports)
        writer.put("lossRate", lossRate)
        writer.put("discardRate", discardRate)
        writer.put("burstDensity", burstDensity)
        writer.put("gapDensity", gapDensity)
        writer.put("burstMilliseconds", burstMilliseconds)
        writer.put("gapMilliseconds", gapMilliseconds)
        writer.put("minimumGap", minimumGap)
        writer.put("roundTripMilliseconds", roundTripMilliseconds)
        writer.put("endSystemMilliseconds", endSystemMilliseconds)
        writer.put("signalLevelDecibels", signalLevelDecibels)
        writer.put("noiseLevelDecibels", noiseLevelDecibels)
        writer.put("residualEchoReturnLossDecibels", residualEchoReturnLossDecibels)
        writer.put("rFactor", rFactor)
        writer.put("externalRFactor", externalRFactor)
        writer.put("listeningMOS", listeningMOS)
        writer.put("conversationalMOS", conversationalMOS)
        writer.put("lossConcealment", lossConcealment)
        writer.put("isJitterBufferAdaptive", isJitterBufferAdaptive)
        writer.put("jitterBufferRate", jitterBufferRate)
        writer.put("jitterBufferNominalMilliseconds", jitterBufferNominalMilliseconds)
        writer.put("jitterBufferMaximumMilliseconds", jitterBufferMaximumMilliseconds)
        writer.put("jitterBufferAbsoluteMaximumMilliseconds", jitterBufferAbsoluteMaximumMilliseconds)
    }
}

extension WireStream: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("id", id)
        writer.put("ssrc", ssrc)
        writer.put("source", source)
        writer.put("destination", destination)
        writer.put("kind", kind)
        writer.put("role", role)
        writer.put("payloadType", payloadType)
        writer.put("codec", codec)
        writer.put("clockRate", clockRate)
        writer.put("clockOrigin", clockOrigin)
        writer.put("formatParameters", formatParameters)
        writer.put("packetMilliseconds", packetMilliseconds)
        writer.put("isEncrypted", isEncrypted)
        writer.put("firstPacketAt", firstPacketAt)
        writer.put("lastPacketAt", lastPacketAt)
        writer.put("lastControlAt", lastControlAt)
        writer.put("lastOutage", lastOutage)
        if let receiverMetrics { writer.put("receiverMetrics", receiverMetrics) }
        writer.put("figures", figures)
        writer.put("lossRuns", lossRuns)
        writer.put("delayBuckets", delayBuckets)
    }
}

extension PathSummary: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("localType", localType)
        writer.put("remoteType", remoteType)
        writer.put("transportProtocol", transportProtocol)
        writer.put("relayProtocol", relayProtocol)
        writer.put("networkType", networkType)
        writer.put("localAddress", localAddress)
        writer.put("remoteAddress", remoteAddress)
        writer.put("changes", changes)
        writer.put("roundTripMilliseconds", roundTripMilliseconds)
        writer.put("secondsByKind", secondsByKind)
    }
}

extension TransportSummary: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("tlsVersion", tlsVersion)
        writer.put("dtlsCipher", dtlsCipher)
        writer.put("srtpCipher", srtpCipher)
        writer.put("dtlsRole", dtlsRole)
        writer.put("receivedKilobitsPerSecond", receivedKilobitsPerSecond)
        writer.put("sentKilobitsPerSecond", sentKilobitsPerSecond)
        writer.put("leastAvailableKilobitsPerSecond", leastAvailableKilobitsPerSecond)
        writer.put("meanAvailableKilobitsPerSecond", meanAvailableKilobitsPerSecond)
        writer.put("availableBitrateDrops", availableBitrateDrops)
        writer.put("answeredChecksPercent", answeredChecksPercent)
        writer.put("messagesSent", messagesSent)
        writer.put("messagesReceived", messagesReceived)
        writer.put("playoutDelayMilliseconds", playoutDelayMilliseconds)
        writer.put("synthesizedPercent", synthesizedPercent)
        writer.put("videoAfterAudioMilliseconds", videoAfterAudioMilliseconds)
    }
}

extension ScoreBasis: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("rulesVersion", rulesVersion)
        writer.put("codec", codec)
        writer.put("isRepairAssumed", isRepairAssumed)
        writer.put("lossPercent", lossPercent)
        writer.put("meanLossRun", meanLossRun)
        writer.put("latePercent", latePercent)
        writer.put("concealedPercent", concealedPercent)
        writer.put("stretchedPercent", stretchedPercent)
        writer.put("silentPercent", silentPercent)
        writer.put("networkDelayMilliseconds", networkDelayMilliseconds)
        writer.put("bufferDelayMilliseconds", bufferDelayMilliseconds)
        writer.put("codecDelayMilliseconds", codecDelayMilliseconds)
    }
}

extension TransmissionRating: MemberWritable {
    func writeMembers(to writer: inout MemberWriter) {
        writer.put("band", band)
        writer.put("rFactor", rFactor)
        writer.put("listeningRFactor", listeningRFactor)
        writer.put("mosLQ", mosLQ)
        writer.put("mosCQ", mosCQ)
        writer.put("codecRow", codecRow)
        writer.put("isEstimate", isEstimate)
        writer.put("equipmentImpairment", equipmentImpairment)
        writer.put("lossRobustness", lossRobustness)
        writer.put("lossPercent", lossPercent)
        writer.put("burstRatio", burstRatio)
        writer.put("oneWayDelayMilliseconds", oneWayDelayMilliseconds)
    }
}
