import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// Whatever clients say, and whenever they say it happened: the fold goes on, and gives the same for the same facts.
@Suite struct HostileEventTests {
    private static let types = [
        "callCreate", "SETUP", "startCall", "didSendStartCall", "RINGING", "SESSION_PROGRESS", "MEDIA_PENDING",
        "inCall",
        "IN_CALL", "ON_HOLD", "ON_DOUBLE_HOLD", "hold", "resume", "beginInterruption", "background", "foreground",
        "iceConnected", "iceOneRelay", "setNetworkReachable", "onConnectionRetry", "onConnectivityLost",
        "onConnectionReestablished", "OnInboundQualityChange", "onRemoteMediaStream", "didReceiveEndCall", "ENDED",
        "callConfig", "didChangeSettings", "sendDTMF", "holdCallFailed", "didReceiveSSRCs", "onDeviceListChanged",
        "mediaAttributesChanged", "linphone_core_refresh_registers", "LinphoneRegistrationOk", "doNotDisturb", "?",
    ]
    private static let actions = ["callState", "callStatus", "call", "operation", "quality", "media", "error", "sip"]
    private static let names = [
        "startCallTimeout", "ICECollectionTimeout", "period", "count", "attempt", "width", "height", "fps", "mLines",
        "auditFrequency", "endType", "ender", "remoteVideo", "localAudio", "isAudioEnabled", "audio", "selected",
        "receiveBandwidthLimit", "audioCodec", "statusCode", "code",
    ]

    @Test(arguments: 0..<60) func `no event and no time of one stops the fold`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var facts: [FactKey: Fact] = [:]
        for index in 0..<120 {
            let fact = Self.fact(index, &random)
            facts[fact.key] = fact
        }
        let sorted = facts.values.sorted { $0.key < $1.key }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var whole = CallSession(key: key)
        _ = whole.fold(sorted)
        let summary = try #require(whole.summary())
        var part = CallSession(key: key)
        for fact in sorted {
            _ = part.fold([fact])
            part = try #require(CallSession(archived: part.archived()))
        }
        #expect(part.summary() == summary)
        _ = summary.isStale(at: summary.lastReceivedAt)
        #expect(try JSONDecoder().decode(CallSummary.self, from: JSONEncoder().encode(summary)) == summary)
    }

    private static func fact(_ index: Int, _ random: inout RandomSource) -> Fact {
        let detail = (0..<4).map { _ in (names.randomElement(using: &random) ?? "", value(&random)) }
        let members: JSONObject = [
            "detail": .object(JSONObject(detail) { $1 }), "value": value(&random), "code": value(&random),
            "statusCode": value(&random), "side": "caller",
        ]
        let event = CallEvent(
            time: time(index, &random), receivedAt: time(index, &random),
            action: actions.randomElement(using: &random) ?? "", type: types.randomElement(using: &random) ?? "",
            sequence: Int64(index), members: members)
        return .event(event)
    }

    private static func time(_ index: Int, _ random: inout RandomSource) -> Timestamp {
        let ordinary: Int64 = 1_795_000_000_000 + Int64(index) * 700
        return Timestamp(
            milliseconds: [ordinary, ordinary, ordinary, 0, .min, .max].randomElement(using: &random) ?? 0)
    }

    private static func value(_ random: inout RandomSource) -> JSONValue {
        let values: [JSONValue] = [
            .null, true, false, 0, 1, -1, 40, .integer(.max), .integer(.min), 1e300, -1e300, 0.1, "x",
            "SBVCEndTypeTimeout",
            "1280x99999999999999999999", ["audio": 1e300, "ptime": -1e300], ["0xffffffff", 1e300, -5],
        ]
        return values.randomElement(using: &random) ?? .null
    }
}
