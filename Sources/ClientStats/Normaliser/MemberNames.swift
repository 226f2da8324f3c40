import JSONText

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

    /// What a name says of its value.
    enum Kind {
        case truth, number, text
        /// Nothing: text that spells a number is one.
        case any
    }

    static func kind(of name: String) -> Kind {
        if let number = index.number(of: name) { return kinds[number] }
        return name.hasSuffix("Id") || name.hasSuffix("ID") || name.hasSuffix("Ids") ? .text : .any
    }

    /// The names above and below, which most members have.
    static let index = NameIndex(kindsByName.keys.sorted())
    /// What each name of ``index`` says.
    private static let kinds = index.names.map { kindsByName[$0] ?? .any }

    private static let kindsByName: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for name in others { kinds[name] = .any }
        for name in identifiers.union(text) { kinds[name] = .text }
        for name in numbers { kinds[name] = .number }
        for name in booleans { kinds[name] = .truth }
        return kinds
    }()

    /// Whether text under this name must not be read as a number.
    static func isText(_ name: String) -> Bool { kind(of: name) == .text }

    /// The same names for the reader of JSON.
    static let common = JSONNames(index.names)

    /// References to other objects.
    private static let identifiers: Set<String> = [
        "codecId", "localCandidateId", "localCertificateId", "localId", "mediaSourceId", "playoutId",
        "remoteCandidateId", "remoteCertificateId", "remoteId", "selectedCandidatePairId", "trackId", "trackIds",
        "transportId",
    ]

    /// Frequent names of values that may be of any kind.
    private static let others: Set<String> = [
        "base64Certificate", "candidateType", "decoderImplementation", "dtlsCipher", "dtlsRole", "dtlsState",
        "encoderImplementation", "fingerprintAlgorithm", "iceLocalUsernameFragment", "iceRole", "iceState", "id",
        "networkType", "packetsReceivedWithCe", "packetsReceivedWithEct1", "packetsSentWithEct1",
        "qualityLimitationDurations", "qualityLimitationReason", "relayProtocol", "scalabilityMode", "srtpCipher",
        "state", "statistics", "tcpType", "timestamp", "type",
    ]

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
