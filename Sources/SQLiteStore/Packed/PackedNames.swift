import JSONText

/// Names of members, and types of objects, that many reports have: they are written as their numbers.
///
/// Databases hold these numbers. A text keeps its place for ever, and new ones come last; the first 127 take a byte.
enum PackedNames {
    static let all: [String] = [
        "transportId", "kind", "ssrc", "codecId", "mediaType", "bytesSent", "packetsSent", "codec", "priority",
        "bytesReceived", "packetsReceived", "trackIdentifier", "totalRoundTripTime", "totalSamplesDuration",
        "remoteId", "mid", "isRemote", "candidateType", "port", "protocol", "ip", "address", "foundation",
        "usernameFragment", "jitter", "packetsLost", "lastPacketReceivedTimestamp", "active", "audioLevel",
        "totalAudioEnergy", "localId", "nackCount", "roundTripTimeMeasurements", "roundTripTime", "local-candidate",
        "certificate", "clockRate", "mimeType", "payloadType", "networkType", "outbound-rtp", "mediaSourceId",
        "inbound-rtp", "jitterBufferDelay", "jitterBufferEmittedCount", "headerBytesSent", "retransmittedBytesSent",
        "retransmittedPacketsSent", "remote-inbound-rtp", "media-source", "headerBytesReceived",
        "totalPacketSendDelay", "remote-outbound-rtp", "jitterBufferMinimumDelay", "jitterBufferTargetDelay",
        "packetsSentWithEct1", "totalProcessingDelay", "framesPerSecond", "packetsReceivedWithCe",
        "packetsReceivedWithEct1", "targetBitrate", "candidate-pair", "channels", "localCandidateId", "nominated",
        "remoteCandidateId", "responsesReceived", "state", "writable", "consentRequestsSent", "requestsReceived",
        "requestsSent", "responsesSent", "remote-candidate", "currentRoundTripTime", "transport", "dtlsState",
        "bytesDiscardedOnSend", "packetsDiscardedOnSend", "concealedSamples", "concealmentEvents",
        "insertedSamplesForDeceleration", "removedSamplesForAcceleration", "silentConcealedSamples",
        "totalSamplesReceived", "peer-connection", "dataChannelsClosed", "dataChannelsOpened", "frameHeight",
        "frameWidth", "iceRole", "selectedCandidatePairChanges", "sdpFmtpLine", "fecPacketsDiscarded",
        "fecPacketsReceived", "dtlsRole", "iceLocalUsernameFragment", "iceState", "selectedCandidatePairId",
        "remoteTimestamp", "lastPacketSentTimestamp", "base64Certificate", "fingerprint", "fingerprintAlgorithm",
        "availableOutgoingBitrate", "packetsDiscarded", "fractionLost", "localCertificateId", "dtlsCipher",
        "srtpCipher", "tlsVersion", "reportsSent", "estimatedPlayoutTimestamp", "firCount", "pliCount",
        "media-playout", "synthesizedSamplesDuration", "synthesizedSamplesEvents", "totalPlayoutDelay",
        "totalSamplesCount", "qpSum", "playoutId", "rtxSsrc", "remoteCertificateId", "tcpType", "framesDecoded",
        "framesDropped", "framesReceived", "framesSent", "hugeFramesSent", "keyFramesDecoded", "totalDecodeTime",
        "totalInterFrameDelay", "totalSquaredInterFrameDelay", "framesEncoded", "totalEncodeTime",
        "totalEncodedBytesTarget", "height", "width", "decoderImplementation", "encoderImplementation",
        "keyFramesEncoded", "qualityLimitationReason", "qualityLimitationResolutionChanges",
        "framesAssembledFromMultiplePackets", "freezeCount", "pauseCount", "totalAssemblyTime",
        "totalFreezesDuration", "totalPausesDuration", "frames", "powerEfficientDecoder",
        "retransmittedBytesReceived", "retransmittedPacketsReceived", "encodingIndex", "powerEfficientEncoder",
        "qualityLimitationDurations", "scalabilityMode", "googTimingFrameInfo", "trackId", "track", "remoteSource",
        "ended", "detached", "deleted", "stream", "rid", "label", "streamIdentifier", "ipAddress", "relatedAddress",
        "contentType", "implementation", "url", "trackIds", "id", "relayProtocol", "statistics", "timestamp", "type",
        "audioStartedPlayout", "readable", "selected", "vpn", "availableIncomingBitrate", "dataChannelIdentifier",
        "delayedPacketOutageSamples", "discardedPackets", "framerateMean", "interruptionCount", "jitterBufferFlushes",
        "messagesReceived", "messagesSent", "minPlayoutDelay", "relatedPort", "relativePacketArrivalDelay",
        "totalInterruptionDuration", "unknown", "data-channel",
    ]

    /// The number of a text; `nil` when it is none of these.
    static func number(of text: String) -> Int? { index.number(of: text) }

    private static let index = NameIndex(all)
}
