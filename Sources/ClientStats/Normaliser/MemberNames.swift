/// What W3C webrtc-stats and its predecessors call their members, by the type of their values.
///
/// [webrtc-stats](https://www.w3.org/TR/webrtc-stats/) and the provisional and libwebrtc-only members in use.
enum MemberNames {
    /// Text whatever it looks like: identifiers of digits stay text, so that they equal their references.
    static let text: Set<String> = [
        "mid", "rid", "label", "protocol", "foundation", "tlsVersion", "sdpFmtpLine", "trackIdentifier",
        "streamIdentifier", "address", "ip", "ipAddress", "relatedAddress", "usernameFragment", "fingerprint",
        "mimeType", "contentType", "implementation", "googTimingFrameInfo", "kind", "mediaType", "url",
    ]

    /// Whether text under this name must not be read as a number.
    static func isText(_ name: String) -> Bool {
        text.contains(name) || name.hasSuffix("Id") || name.hasSuffix("ID") || name.hasSuffix("Ids")
    }

    /// Truth values, which iOS and quoting clients print as 1 and 0 or as text.
    static let booleans: Set<String> = [
        "active", "audioStartedPlayout", "deleted", "detached", "ended", "isRemote", "nominated",
        "powerEfficientDecoder", "powerEfficientEncoder", "readable", "remoteSource", "selected", "vpn", "writable",
    ]

    /// Numbers that the product reads or that several engines print; anything else under these names is an error.
    static let numbers: Set<String> = [
        "audioLevel", "availableIncomingBitrate", "availableOutgoingBitrate", "bytesDiscardedOnSend", "bytesReceived",
        "bytesSent", "channels", "clockRate", "concealedSamples", "concealmentEvents", "consentRequestsSent",
        "currentRoundTripTime", "dataChannelIdentifier", "dataChannelsClosed", "dataChannelsOpened",
        "delayedPacketOutageSamples", "discardedPackets", "encodingIndex", "estimatedPlayoutTimestamp",
        "fecPacketsDiscarded", "fecPacketsReceived", "firCount", "fractionLost", "frameHeight", "frameWidth",
        "framerateMean", "frames", "framesAssembledFromMultiplePackets", "framesDecoded", "framesDropped",
        "framesEncoded", "framesPerSecond", "framesReceived", "framesSent", "freezeCount", "headerBytesReceived",
        "headerBytesSent", "height", "hugeFramesSent", "insertedSamplesForDeceleration", "interruptionCount", "jitter",
        "jitterBufferDelay", "jitterBufferEmittedCount", "jitterBufferFlushes", "jitterBufferMinimumDelay",
        "jitterBufferTargetDelay", "keyFramesDecoded", "keyFramesEncoded", "lastPacketReceivedTimestamp",
        "lastPacketSentTimestamp", "messagesReceived", "messagesSent", "minPlayoutDelay", "nackCount",
        "packetsDiscarded", "packetsDiscardedOnSend", "packetsLost", "packetsReceived", "packetsSent", "pauseCount",
        "payloadType", "pliCount", "port", "priority", "qpSum", "qualityLimitationResolutionChanges", "relatedPort",
        "relativePacketArrivalDelay", "remoteTimestamp", "removedSamplesForAcceleration", "reportsSent",
        "requestsReceived", "requestsSent", "responsesReceived", "responsesSent", "retransmittedBytesReceived",
        "retransmittedBytesSent", "retransmittedPacketsReceived", "retransmittedPacketsSent", "roundTripTime",
        "roundTripTimeMeasurements", "rtxSsrc", "selectedCandidatePairChanges", "silentConcealedSamples", "ssrc",
        "synthesizedSamplesDuration", "synthesizedSamplesEvents", "targetBitrate", "totalAssemblyTime",
        "totalAudioEnergy", "totalDecodeTime", "totalEncodeTime", "totalEncodedBytesTarget", "totalFreezesDuration",
        "totalInterFrameDelay", "totalInterruptionDuration", "totalPacketSendDelay", "totalPausesDuration",
        "totalPlayoutDelay", "totalProcessingDelay", "totalRoundTripTime", "totalSamplesCount", "totalSamplesDuration",
        "totalSamplesReceived", "totalSquaredInterFrameDelay", "width",
    ]
}
