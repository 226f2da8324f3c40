import CallModel

/// Follows the events of a call's setup and derives L0-L16 (`docs/setup-latencies.md`).
struct SetupTimeline: Archivable {
    private var first = SetupMoments()
    private var anomalies: Set<String> = []
    private var lastReportWithoutMedia: Timestamp?
    private(set) var firstMediaReport: Timestamp?
    private var sip = SIPTimeline()
    private var iceOutcome: SetupLatencies.IceOutcome?
    /// How far the agreement on keys has come, as the transports say (`dtlsState`); `nil` where they do not.
    private var dtlsState: String?

    var createdAt: Timestamp? { first.created }
    var connectedAt: Timestamp? { first[.iceConnected] }
    /// First media by ICE, by what arrived, or by the client's word.
    var activeSince: Timestamp? { [connectedAt, firstMediaReport, first[.active]].compactMap { $0 }.min() }

    /// When the call was answered, as far as it was told.
    var answeredAt: Timestamp? { first.answered }
    /// Whether the call was asked for, and nobody has answered it yet.
    var awaitsAnswer: Bool { createdAt != nil && first.answered == nil }

    /// Whether events tell of the setup, and of no answer to it.
    var isUnanswered: Bool { hasSetupEvents && first.answered == nil && first[.active] == nil }

    /// When it was answered, where the caller never acknowledged that (SIP).
    var unacknowledgedSince: Timestamp? { sip.unacknowledgedSince }

    private var hasSetupEvents: Bool {
        createdAt != nil || first[.requestSent] != nil || first[.ringing] != nil || first[.ringingShown] != nil
            || first[.requestAccepted] != nil
    }

    /// Takes what the next event says, in order of time.
    mutating func take(_ meaning: EventMeaning, of event: CallEvent) {
        if let moment = SetupMoment(meaning) {
            let isRepeat = !first.note(moment, of: event)
            if isRepeat, moment.isOnceOnly, event.foldedAction == "callmetric" { anomalies.insert("duplicate_type") }
        } else {
            first.noteOther(event, isOfSetup: false)
        }
        if case .gathered(let outcome) = meaning { iceOutcome = iceOutcome ?? outcome }
    }

    /// Takes a message that a probe saw.
    mutating func takeSIP(_ event: CallEvent) { sip.take(event) }

    /// Notes whether a report had inbound packets.
    mutating func takeReport(at time: Timestamp, hasInboundPackets: Bool) {
        guard firstMediaReport == nil else { return }
        if hasInboundPackets { firstMediaReport = time } else { lastReportWithoutMedia = time }
    }

    /// Takes what the transports of a report say of the keys: media need them (RFC 8827 §6.5).
    mutating func takeKeys(_ reader: ReportReader) {
        guard firstMediaReport == nil, dtlsState != Self.keysAgreed else { return }
        for transport in reader.objects(.transport) where dtlsState != Self.keysAgreed {
            guard let state = transport.members["dtlsState"]?.text, Self.dtlsStates.contains(state) else { continue }
            dtlsState = state
        }
    }

    /// How far the agreement on keys came of a call without media; `nil` where they were agreed, or nothing tells.
    var lackingKeys: String? { firstMediaReport == nil && dtlsState != Self.keysAgreed ? dtlsState : nil }

    private static let keysAgreed = "connected"
    /// Those of a transport that is not closed (W3C `RTCDtlsTransportState`).
    private static let dtlsStates: Set = ["new", "connecting", keysAgreed, "failed"]

    /// What became of the setup. Where a probe saw no end, and `isOver` is false, the call may have been answered later.
    func outcome(isOver: Bool) -> CallOutcome {
        if sip.wasRefused { return .notAnswered }
        let isUp = connectedAt != nil || firstMediaReport != nil || first[.active] != nil
        if isUp { return lackingKeys == nil ? .connected : .notConnected }
        if first.answered != nil || first[.iceDisconnected] != nil { return .notConnected }
        // Where the answer passed unseen, so may the media have.
        return hasSetupEvents && !sip.wasUp && (isOver || sip.invited == nil) ? .notAnswered : .unknown
    }

    /// The latencies, as far as the facts up to `lastActivity` tell. `endedAt` is when the call ended, by its events.
    func latencies(endedAt: Timestamp?, lastActivity: Timestamp, course: CallCourse) -> SetupLatencies {
        var result = SetupLatencies()
        var lengths = SetupLengths(anomalies: anomalies)
        let first = first.unwrapped(&lengths.anomalies)
        let (created, answered) = (first.created, first.answered)
        let rang = first[.ringing] ?? first[.ringingShown]
        let heard = [first[.ringing], first[.earlyMedia], first[.ringingShown]].compactMap { $0 }.min()
        if let begun = first.begun, let earliest = first.earliest, earliest < begun {
            lengths.anomalies.insert("before_call_create")
        }
        result.restSentDelay = lengths.length(created, first[.requestSent])
        result.postDialDelay = lengths.length(created, heard)
        result.networkPostDialDelay = lengths.length(first[.requestSent], rang)
        // Cisco may tell that it waits for media before it tells of ringing.
        let isLate = first[.answered] == nil && first[.established] == nil && rang.map { $0 > answered ?? $0 } == true
        result.ringTime = isLate ? nil : lengths.length(rang, answered)
        result.answerDelay = lengths.length(created, answered)
        result.iceConnectTime = lengths.length(created, first[.iceConnected])
        result.mediaSetup = lengths.length(answered, first[.iceConnected], isSigned: true)
        result.sessionRequestDelay = lengths.length(sip.invited, sip.firstResponse)
        result.sessionDisconnectDelay = lengths.length(sip.hungUp, sip.hangUpAnswered)
        result.sessionDurationTime = lengths.length(sip.answered, sip.hungUp)
        result.iceOutcome = iceOutcome
        result.iceGatheringUpperBound = lengths.length(created, first[.gathered])
        fillMedia(&result, &lengths, created: created, stream: first[.remoteMedia])
        fillOthers(&result, &lengths, first, answered: answered)
        // Of a call whose media came the answer was not told.
        if answered == nil, outcome(isOver: true) != .connected {
            result.ringTimeUnanswered = lengths.length(rang ?? first[.requestAccepted], first[.ended])
        }
        let end = first[.ended] ?? endedAt ?? lastActivity
        let active = [first[.iceConnected], firstMediaReport, first[.active]].compactMap { $0 }.min()
        result.callDuration = lengths.length(active, end)
        result.totalDuration = lengths.length(created, end)
        result.isEndKnown = endedAt != nil
        if let configuration = course.configuration { lengths.check(&result, configuration, first, course.endCause) }
        result.anomalies = lengths.anomalies.sorted()
        return result
    }

    /// The stream that the client was told of is nearer to the first packet than the reports are.
    private func fillMedia(
        _ result: inout SetupLatencies, _ lengths: inout SetupLengths, created: Timestamp?, stream: Timestamp?
    ) {
        if let stream, firstMediaReport.map({ stream <= $0 }) ?? true {
            result.firstMediaBy = lengths.length(created, stream)
            return
        }
        result.firstMediaAfter = firstMediaReport == nil ? nil : lengths.length(created, lastReportWithoutMedia)
        result.firstMediaBy = lengths.length(created, firstMediaReport)
    }

    private func fillOthers(
        _ result: inout SetupLatencies, _ lengths: inout SetupLengths, _ first: SetupMoments, answered: Timestamp?
    ) {
        result.mediaPendingTime = lengths.length(first[.mediaPending], first[.active])
        result.alertToAnswer = lengths.length(first[.alerted], answered)
        result.requestAccepted = first[.requestAccepted].flatMap { lengths.length(first[.created], $0) }
        result.connectTime = lengths.length(first[.answered], first[.active])
        result.firstQualityDelay = lengths.length(first[.remoteMedia], first[.quality])
        result.registrationTime = lengths.length(first[.registering], first[.registered])
    }
}

// MARK: - Archive

extension SetupTimeline {
    func write(to archive: inout ArchiveWriter) {
        archive.put(first, anomalies, lastReportWithoutMedia, firstMediaReport)
        archive.put(sip, iceOutcome, dtlsState)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (first, anomalies, lastReportWithoutMedia, firstMediaReport) = try archive.get()
        (sip, iceOutcome, dtlsState) = try archive.get()
    }
}
