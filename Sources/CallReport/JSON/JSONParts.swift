import CallModel

/// L1-L8, L15, and those of RFC 6076.
struct JSONSetup {
    let value: JSONValue

    init(_ setup: SetupLatencies) {
        value = [
            "restSentDelayMilliseconds": JSONValue(setup.restSentDelay),
            "postDialDelayMilliseconds": JSONValue(setup.postDialDelay),
            "networkPostDialDelayMilliseconds": JSONValue(setup.networkPostDialDelay),
            "ringTimeMilliseconds": JSONValue(setup.ringTime),
            "answerDelayMilliseconds": JSONValue(setup.answerDelay),
            "iceConnectTimeMilliseconds": JSONValue(setup.iceConnectTime),
            "mediaSetupMilliseconds": JSONValue(setup.mediaSetup),
            "iceGatheringUpperBoundMilliseconds": JSONValue(setup.iceGatheringUpperBound),
            "iceOutcome": JSONValue(setup.iceOutcome?.rawValue),
            "firstMediaAfterMilliseconds": JSONValue(setup.firstMediaAfter),
            "firstMediaByMilliseconds": JSONValue(setup.firstMediaBy),
            "callDurationMilliseconds": JSONValue(setup.callDuration),
            "totalDurationMilliseconds": JSONValue(setup.totalDuration),
            "sessionRequestDelayMilliseconds": JSONValue(setup.sessionRequestDelay),
            "sessionDisconnectDelayMilliseconds": JSONValue(setup.sessionDisconnectDelay),
            "sessionDurationTimeMilliseconds": JSONValue(setup.sessionDurationTime),
            "ringTimeUnansweredMilliseconds": JSONValue(setup.ringTimeUnanswered),
            "mediaPendingTimeMilliseconds": JSONValue(setup.mediaPendingTime),
            "alertToAnswerMilliseconds": JSONValue(setup.alertToAnswer),
            "requestAcceptedMilliseconds": JSONValue(setup.requestAccepted),
            "connectTimeMilliseconds": JSONValue(setup.connectTime),
            "firstQualityDelayMilliseconds": JSONValue(setup.firstQualityDelay),
            "registrationTimeMilliseconds": JSONValue(setup.registrationTime),
            "timeoutSlackMilliseconds": JSONValue(setup.timeoutSlack),
            "isGatheringReported": JSONValue(setup.isGatheringReported),
            "isEndKnown": .bool(setup.isEndKnown),
            "anomalies": JSONValue(setup.anomalies),
        ]
    }
}

/// The network path.
struct JSONPath {
    let value: JSONValue

    init(_ path: PathSummary) {
        value = [
            "localType": JSONValue(path.localType),
            "remoteType": JSONValue(path.remoteType),
            "protocol": JSONValue(path.transportProtocol),
            "relayProtocol": JSONValue(path.relayProtocol),
            "isRelayed": JSONValue(path.isRelayed),
            "networkType": JSONValue(path.networkType),
            "localAddress": JSONValue(path.localAddress),
            "remoteAddress": JSONValue(path.remoteAddress),
            "changes": .array(path.changes.map { JSONValue($0) }),
            "roundTripMilliseconds": JSONValue(path.roundTripMilliseconds),
            "secondsByKind": .object(
                JSONObject(path.secondsByKind.map { ($0.key.rawValue, JSONValue($0.value)) }) { first, _ in first }),
        ]
    }
}

/// What the transports carried.
struct JSONTransport {
    let value: JSONValue

    init(_ transport: TransportSummary) {
        value = [
            "tlsVersion": JSONValue(transport.tlsVersion),
            "dtlsCipher": JSONValue(transport.dtlsCipher),
            "srtpCipher": JSONValue(transport.srtpCipher),
            "dtlsRole": JSONValue(transport.dtlsRole),
            "receivedKilobitsPerSecond": JSONValue(transport.receivedKilobitsPerSecond),
            "sentKilobitsPerSecond": JSONValue(transport.sentKilobitsPerSecond),
            "leastAvailableKilobitsPerSecond": JSONValue(transport.leastAvailableKilobitsPerSecond),
            "meanAvailableKilobitsPerSecond": JSONValue(transport.meanAvailableKilobitsPerSecond),
            "availableBitrateDrops": JSONValue(transport.availableBitrateDrops),
            "answeredChecksPercent": JSONValue(transport.answeredChecksPercent),
            "messagesSent": JSONValue(transport.messagesSent),
            "messagesReceived": JSONValue(transport.messagesReceived),
            "playoutDelayMilliseconds": JSONValue(transport.playoutDelayMilliseconds),
            "synthesizedPercent": JSONValue(transport.synthesizedPercent),
            "videoAfterAudioMilliseconds": JSONValue(transport.videoAfterAudioMilliseconds),
        ]
    }
}

/// How complete and consistent the facts are.
struct JSONDataQuality {
    let value: JSONValue

    init(_ quality: DataQuality) {
        value = [
            "reports": JSONValue(quality.reports),
            "events": JSONValue(quality.events),
            "medianIntervalMilliseconds": JSONValue(quality.medianIntervalMilliseconds),
            "gaps": .array(quality.gaps.map { JSONValue($0) }),
            "contradictions": JSONValue(quality.contradictions),
            "counterResets": JSONValue(quality.counterResets),
            "missedReports": JSONValue(quality.missedReports),
            "clockStepMilliseconds": JSONValue(quality.clockStepMilliseconds),
            "clockOffsetMilliseconds": JSONValue(quality.clockOffsetMilliseconds),
            "unknownEvents": JSONValue(quality.unknownEvents),
            "notes": JSONValue(quality.notes),
        ]
    }
}

extension StreamKey {
    /// What names a stream in the report and its series.
    var jsonMembers: JSONObject {
        [
            "connection": .string(connection.rawValue), "direction": .string(direction.rawValue),
            "kind": .string(kind.rawValue), "ssrc": .string(source),
        ]
    }
}
