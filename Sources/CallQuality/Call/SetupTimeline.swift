import CallModel

/// Follows the events of a call's setup and derives L0-L8 and L15 (`docs/setup-latencies.md`).
struct SetupTimeline: Codable {
    /// First occurrence of each event type.
    private var first: [String: Timestamp] = [:]
    private var anomalies: Set<String> = []
    private(set) var endedAt: Timestamp?
    private(set) var endReason: String?
    private var lastReportWithoutMedia: Timestamp?
    private(set) var firstMediaReport: Timestamp?
    private var sip = SIPTimeline()
    private var iceOutcome: SetupLatencies.IceOutcome?

    /// Longer than any setup: such a difference says that a clock is wrong.
    private static let implausibleMilliseconds: Int64 = 24 * 3600 * 1000

    /// Types that happen once in a setup; a second, later one is odd.
    private static let onceOnly: Set<String> = ["callCreate", "callRestSent", "callRinging", "callAnswerReceived"]

    var createdAt: Timestamp? { first["callCreate"] ?? first["incomingCall"] }
    var connectedAt: Timestamp? { first["iceConnected"] }
    var isAnswered: Bool { first["callAnswerReceived"] != nil || first["IN_CALL"] != nil }
    var hasSetupEvents: Bool { createdAt != nil || first["callRestSent"] != nil || first["callRinging"] != nil }
    var wasGivenUpByICE: Bool { first["iceDisconnected"] != nil }

    /// Takes the next event, in order of time.
    mutating func take(_ event: CallEvent) {
        let type = event.meaning
        if first[type] == nil {
            first[type] = event.time
        } else if Self.onceOnly.contains(type), event.action != "sip" {
            anomalies.insert("duplicate_type")
        }
        if event.action == "sip" { sip.take(event) }
        switch type {
        case "iceNormal": iceOutcome = iceOutcome ?? .normal
        case "iceOneRelay": iceOutcome = iceOutcome ?? .oneRelay
        case "iceNoRelay": iceOutcome = iceOutcome ?? .noRelay
        case "ENDED": end(event)
        default: break
        }
    }

    private mutating func end(_ event: CallEvent) {
        guard endedAt == nil else { return }
        endedAt = event.time
        if event.action == "sip", event.type == "BYE" {
            endReason = event.members["reason"]?.text ?? "BYE"
            return
        }
        let code = event.members["statusCode"]?.wholeNumber.map(String.init)
        endReason = [event.members["reason"]?.text, code].compactMap { $0 }.joined(separator: ", ")
        if endReason == "" { endReason = nil }
    }

    /// Notes whether a report had inbound packets.
    mutating func takeReport(at time: Timestamp, hasInboundPackets: Bool) {
        guard firstMediaReport == nil else { return }
        if hasInboundPackets { firstMediaReport = time } else { lastReportWithoutMedia = time }
    }

    /// What became of the setup.
    var outcome: CallOutcome {
        if connectedAt != nil || firstMediaReport != nil { return .connected }
        if isAnswered || wasGivenUpByICE { return .notConnected }
        return hasSetupEvents ? .notAnswered : .unknown
    }

    /// The latencies, as far as the facts up to `lastActivity` tell.
    func latencies(lastActivity: Timestamp) -> SetupLatencies {
        var result = SetupLatencies()
        var odd = anomalies
        if let createdAt, first.values.contains(where: { $0 < createdAt }) { odd.insert("before_call_create") }
        func length(_ from: Timestamp?, _ to: Timestamp?, signed: Bool = false) -> Int64? {
            guard let from, let to else { return nil }
            let length = to.milliseconds(since: from)
            guard abs(length) < Self.implausibleMilliseconds else { return noting("implausible") }
            guard length >= 0 || signed else { return noting("negative_interval") }
            return length
        }
        func noting(_ anomaly: String) -> Int64? {
            odd.insert(anomaly)
            return nil
        }
        let created = createdAt
        let ringing = [first["callRinging"], first["SESSION_PROGRESS"], first["RINGING"]].compactMap { $0 }.min()
        let answered = first["callAnswerReceived"] ?? first["IN_CALL"]
        result.restSentDelay = length(created, first["callRestSent"])
        result.postDialDelay = length(created, ringing)
        result.networkPostDialDelay = length(first["callRestSent"], first["callRinging"])
        result.ringTime = length(first["callRinging"], answered)
        result.answerDelay = length(created, answered)
        result.iceConnectTime = length(created, connectedAt)
        result.mediaSetup = length(answered, connectedAt, signed: true)
        result.sessionRequestDelay = length(sip.invited, sip.firstResponse)
        result.sessionDisconnectDelay = length(sip.hungUp, sip.hangUpAnswered)
        result.sessionDurationTime = length(sip.answered, sip.hungUp)
        result.iceOutcome = iceOutcome
        result.iceGatheringUpperBound = length(created, gatheringEnd)
        result.firstMediaAfter = firstMediaReport == nil ? nil : length(created, lastReportWithoutMedia)
        result.firstMediaBy = length(created, firstMediaReport)
        let end = endedAt ?? lastActivity
        let active = [connectedAt, firstMediaReport].compactMap { $0 }.min()
        result.callDuration = length(active, end)
        result.totalDuration = length(created, end)
        result.isEndKnown = endedAt != nil
        result.anomalies = odd.sorted()
        return result
    }

    private var gatheringEnd: Timestamp? {
        [first["iceNormal"], first["iceOneRelay"], first["iceNoRelay"]].compactMap { $0 }.min()
    }
}
