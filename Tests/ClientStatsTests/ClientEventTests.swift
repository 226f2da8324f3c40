import CallModel
import ClientStats
import TestSupport
import Testing

/// The 63 events of five client SDKs that the specification gives as examples.
@Suite(SharedData.required) struct ClientEventTests {
    /// `action/type` of each line, the call it lands in, and what it means; a report where it is none.
    private static let expected: [(String, String, [EventMeaning]?)] =
        kandy + cisco + sendBird + linphone + fcsdk

    private static let kandyCall = "7E60066C-C7F3-438A-95B1-DDE8634E1072"

    private static let kandy: [(String, String, [EventMeaning]?)] = [
        ("callMetric/callRestSent", kandyCall, [.requestSent]), ("callMetric/callCreate", kandyCall, [.created]),
        ("callMetric/callRinging", kandyCall, [.ringing]), ("callMetric/callAnswerReceived", kandyCall, [.answered]),
        ("iceTimeout/iceOneRelay", kandyCall, [.gathered(.oneRelay)]),
        ("iceState/iceConnected", kandyCall, [.iceConnected]),
        ("iceState/iceDisconnected", kandyCall, [.iceDisconnected]),
        ("ipChange/ipChangeStarted", kandyCall, [.addressChangeStarted]),
        ("ipChange/ipChangeEnded", kandyCall, [.addressChangeEnded]),
        ("iceState/iceConnected", kandyCall, [.iceConnected]),
        ("callState/SESSION_PROGRESS", kandyCall, [.earlyMedia]),
        ("callState/ENDED", kandyCall, [.ended(.localHangup)]), ("callState/ON_HOLD", kandyCall, [.held(.local)]),
        ("operation/holdCallFailed", kandyCall, [.operation("holdCall", isSuccess: false), .resumed]),
        (
            "mediaAttributes/mediaAttributesChanged", kandyCall,
            [
                .condition(.microphoneMuted, isOn: false), .condition(.cameraOff, isOn: false),
                .condition(.farEndVideoOff, isOn: false),
            ]
        ),
        ("dtmf/sendDTMF", kandyCall, [.tones(4)]), ("callConfig/callConfig", kandyCall, [.configured]),
        ("rtpStatistics/getRTPStatistics", kandyCall, nil),
    ]

    private static let cisco: [(String, String, [EventMeaning]?)] = [
        ("call/onRinging", "c-1", [.ringing]), ("call/onDialFailed", "c-2", [.ended(.noAnswer)]),
        ("userMedia/onOutboundVideoFailure", "c-1", [.problem(.noCamera)]),
        ("connection/onConnectionRetry", "sess-9", [.connectionRetry(attempt: 1)]),
        ("connection/onNetworkUnavailable", "sess-9", [.network(isReachable: false)]),
        ("quality/onConnectionQualityChanged", "c-1", [.quality(100)]),
        ("callStatus/ACBClientCallStatusMediaPending", "c-3", [.mediaPending]),
        ("media/callDidAddRemoteMediaStream", "c-3", [.remoteMedia(isPresent: true)]),
        ("quality/didReportInboundQualityChange", "c-3", [.quality(100)]),
        ("network/setNetworkReachable", "sess-7", [.network(isReachable: false)]),
        ("app/background", "c-3", [.condition(.background, isOn: true)]),
        ("callStatus/NO_MB_CAPACITY", "c-4", [.ended(.capacity)]),
        ("media/onRemoteMediaStream", "c-5", [.remoteMedia(isPresent: false)]),
        ("audioDevice/onDeviceListChanged", "c-5", [.audioDevice("BLUETOOTH")]),
        ("connection/OnConnectionLost", "sess-3", [.connectionLost]),
        ("quality/OnInboundQualityChange", "c-6", [.quality(73)]),
        ("operation/hold", "c-7", [.operation("hold", isSuccess: nil), .held(.local)]),
        ("captureSettings/setPreferredVideoCaptureResolution", "c-1", [.configured]),
        ("session/sessionCreated", "sess-9", [.configured]),
    ]

    private static let sendBird: [(String, String, [EventMeaning]?)] = [
        ("call/startCallWithAudioOnly", "ch-1", [.created]), ("call/didSendStartCall", "sb-1", [.requestAccepted]),
        ("call/didReceiveStartCall", "sb-1", [.alerted]), ("call/didSendAcceptCall", "sb-1", [.answered]),
        ("call/didReceiveAcceptCall", "sb-1", [.answered]), ("call/didConnectCall", "sb-1", [.active]),
        ("call/didReceiveEndCall", "sb-1", [.ended(.remoteHangup)]),
        ("media/didOpponentVideoStateChange", "sb-1", [.condition(.farEndVideoOff, isOn: true)]),
        ("error/SBVCErrorAlreadyCallGoingOn", "sb-2", [.problem(.error), .failed(.busy)]),
    ]

    private static let linphone: [(String, String, [EventMeaning]?)] = [
        ("network/linphone_core_set_network_reachable", "core-1", [.network(isReachable: false)]),
        ("network/linphone_core_set_network_reachable", "core-1", [.network(isReachable: true)]),
        ("interruption/beginInterruption", "lp-1", [.condition(.interrupted, isOn: true)]),
        ("interruption/endInterruption", "lp-1", [.condition(.interrupted, isOn: false)]),
        ("callState/StreamsRunning", "lp-1", [.active]),
        ("registration/LinphoneRegistrationOk", "core-1", [.registered]),
        ("operation/linphone_core_update_call", "lp-1", [.operation("linphone_core_update_call", isSuccess: nil)]),
        ("codec/codecMissing", "lp-1", [.problem(.codecMissing)]),
    ]

    private static let fcsdk: [(String, String, [EventMeaning]?)] = [
        ("callStatus/preparingBufferViews", "fc-1", [.preparingViews]), ("callStatus/inCall", "fc-1", [.active]),
        ("ssrc/didReceiveSSRCs", "fc-1", [.streams([3_735_928_559, 305_419_896])]),
        ("quality/didReportInboundQualityChange", "fc-1", [.quality(92)]),
        ("interruption/didReceiveSessionInterruption", "fc-1", [.condition(.interrupted, isOn: true)]),
        ("error/didReceiveDialFailure", "fc-2", [.ended(.error)]),
        (
            "media/didReceiveMediaChangeRequest", "fc-1",
            [.condition(.farEndMuted, isOn: false), .condition(.farEndVideoOff, isOn: true)]
        ),
        ("captureSettings/didChangeSettings", "fc-1", [.configured]),
        ("app/doNotDisturb", "fc-3", [.failed(.doNotDisturb)]),
    ]

    @Test func `every event lands where its document says`() throws {
        let lines = try SharedData.specificationLines("client-events.jsonl")
        #expect(lines.count == 63)
        let receivedAt = Timestamp(milliseconds: 1_795_000_000_000)
        for (line, expected) in zip(lines, Self.expected) {
            let body = try EventsBody.parse(line, in: ParsingContext(receivedAt: receivedAt))
            #expect(body.refusals == [] && body.unknownTypes == [] && body.unknownProperties == [], "\(expected.0)")
            let submission = try #require(body.submissions.first)
            #expect(submission.identity.call.rawValue == expected.1)
            #expect(submission.facts.count == 1)
            guard case .event(let event)? = submission.facts.first?.fact else {
                #expect(expected.2 == nil, "\(expected.0)")
                continue
            }
            #expect("\(event.action)/\(event.type)" == expected.0)
            #expect(event.meanings == expected.2, "\(expected.0)")
        }
        #expect(Self.expected.count == 63)
    }
}
