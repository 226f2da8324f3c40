import CallModel

/// The numbers that rtcstats writes for names from its file format 3 on. They are never given anew.
enum RTCStatsNames {
    /// The method of a row, as a number or by name; `nil` where it is neither.
    static func method(_ value: JSONValue) -> String? {
        if let number = value.wholeNumber { return methods[number] ?? "" }
        return value.text == "g" ? "getStats" : value.text
    }

    /// The name of a member; other names than numbers stand for themselves.
    static func member(_ name: String) -> String {
        if name == "t" { return "timestamp" }
        return Int64(name).flatMap { memberNames[$0] } ?? name
    }

    /// The members of an object under their names.
    static func members(_ members: JSONObject) -> JSONObject {
        var named: JSONObject = [:]
        named.reserveCapacity(members.count)
        for (name, value) in members { named[member(name)] = value }
        if let number = named["type"]?.wholeNumber { named["type"] = types[number] }
        return named
    }

    /// The methods that anything is concluded from.
    private static let methods: [Int64: String] = [
        1: "getStats", 2: "createOffer", 3: "createOfferOnSuccess", 6: "setLocalDescription", 8: "setRemoteDescription",
        24: "oniceconnectionstatechange", 25: "onconnectionstatechange", 36: "close", 39: "create",
    ]

    private static let types: [Int64: JSONValue] = [
        1: "inbound-rtp", 2: "outbound-rtp", 3: "remote-inbound-rtp", 4: "remote-outbound-rtp", 5: "transport",
        6: "candidate-pair", 7: "local-candidate", 8: "remote-candidate", 9: "data-channel", 10: "peer-connection",
        11: "certificate", 12: "media-source", 13: "media-playout", 14: "codec",
    ]

    private static let memberNames: [Int64: String] = [
        4: "payloadType", 5: "transportId", 6: "mimeType", 7: "clockRate", 8: "channels", 9: "sdpFmtpLine",
        10: "ssrc", 11: "kind", 12: "codecId", 14: "packetsReceived", 15: "packetsLost", 16: "jitter",
        17: "trackIdentifier", 18: "mid", 19: "remoteId", 20: "framesDecoded", 21: "keyFramesDecoded",
        22: "framesDropped", 23: "frameWidth", 24: "frameHeight", 25: "framesPerSecond", 26: "qpSum",
        27: "totalDecodeTime", 28: "totalInterFrameDelay", 29: "totalSquaredInterFrameDelay", 30: "pauseCount",
        31: "totalPausesDuration", 32: "freezeCount", 33: "totalFreezesDuration", 34: "lastPacketReceivedTimestamp",
        35: "headerBytesReceived", 36: "packetsDiscarded", 37: "fecPacketsReceived", 38: "fecPacketsDiscarded",
        39: "fecBytesReceived", 40: "fecSsrc", 41: "bytesReceived", 42: "nackCount", 43: "firCount", 44: "pliCount",
        45: "totalProcessingDelay", 46: "estimatedPlayoutTimestamp", 47: "jitterBufferDelay",
        48: "jitterBufferTargetDelay", 49: "jitterBufferEmittedCount", 50: "jitterBufferMinimumDelay",
        51: "totalSamplesReceived", 52: "concealedSamples", 53: "silentConcealedSamples", 54: "concealmentEvents",
        55: "insertedSamplesForDeceleration", 56: "removedSamplesForAcceleration", 57: "audioLevel",
        58: "totalAudioEnergy", 59: "totalSamplesDuration", 60: "framesReceived", 61: "decoderImplementation",
        62: "playoutId", 63: "powerEfficientDecoder", 64: "framesAssembledFromMultiplePackets",
        65: "totalAssemblyTime", 66: "contentType", 67: "googTimingFrameInfo", 68: "retransmittedPacketsReceived",
        69: "retransmittedBytesReceived", 70: "rtxSsrc", 71: "totalCorruptionProbability",
        72: "totalSquaredCorruptionProbability", 73: "corruptionMeasurements", 74: "localId", 75: "roundTripTime",
        76: "totalRoundTripTime", 77: "fractionLost", 78: "roundTripTimeMeasurements", 79: "packetsSent",
        80: "bytesSent", 81: "mediaSourceId", 82: "rid", 83: "encodingIndex", 84: "headerBytesSent",
        85: "retransmittedPacketsSent", 86: "retransmittedBytesSent", 87: "targetBitrate",
        88: "totalEncodedBytesTarget", 89: "framesSent", 90: "hugeFramesSent", 91: "framesEncoded",
        92: "keyFramesEncoded", 93: "totalEncodeTime", 94: "totalPacketSendDelay", 95: "qualityLimitationReason",
        96: "qualityLimitationDurations", 97: "qualityLimitationResolutionChanges", 98: "encoderImplementation",
        99: "powerEfficientEncoder", 100: "active", 101: "scalabilityMode", 102: "remoteTimestamp",
        103: "reportsSent", 104: "echoReturnLoss", 105: "echoReturnLossEnhancement", 106: "width", 107: "height",
        108: "frames", 109: "synthesizedSamplesDuration", 110: "synthesizedSamplesEvents", 111: "totalPlayoutDelay",
        112: "totalSamplesCount", 113: "dataChannelsOpened", 114: "dataChannelsClosed", 115: "label", 116: "protocol",
        117: "dataChannelIdentifier", 118: "state", 119: "messagesSent", 120: "messagesReceived", 121: "iceRole",
        122: "iceLocalUsernameFragment", 123: "dtlsState", 124: "iceState", 125: "selectedCandidatePairId",
        126: "localCertificateId", 127: "remoteCertificateId", 128: "tlsVersion", 129: "dtlsCipher", 130: "dtlsRole",
        131: "srtpCipher", 132: "selectedCandidatePairChanges", 133: "rtcpTransportStatsId", 134: "address",
        135: "port", 136: "candidateType", 137: "priority", 138: "url", 139: "relayProtocol", 140: "foundation",
        141: "relatedAddress", 142: "relatedPort", 143: "usernameFragment", 144: "tcpType", 145: "networkType",
        148: "localCandidateId", 149: "remoteCandidateId", 150: "nominated", 151: "lastPacketSentTimestamp",
        152: "currentRoundTripTime", 153: "availableOutgoingBitrate", 154: "availableIncomingBitrate",
        155: "requestsReceived", 156: "requestsSent", 157: "responsesReceived", 158: "responsesSent",
        159: "consentRequestsSent", 160: "packetsDiscardedOnSend", 161: "bytesDiscardedOnSend", 163: "fingerprint",
        164: "fingerprintAlgorithm", 165: "base64Certificate", 166: "issuerCertificateId", 167: "psnrMeasurements",
        168: "psnrSum", 169: "packetsReceivedWithEct1", 170: "packetsReceivedWithCe", 171: "packetsReportedAsLost",
        172: "packetsReportedAsLostButRecovered", 173: "packetsWithBleachedEct1Marking", 174: "packetsSentWithEct1",
        175: "ccfbMessagesSent", 176: "ccfbMessagesReceived",
    ]
}
