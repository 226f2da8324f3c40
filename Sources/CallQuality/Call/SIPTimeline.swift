import CallModel

/// The moments of a SIP dialog that RFC 6076 measures between.
struct SIPTimeline: Archivable {
    private(set) var invited: Timestamp?
    /// First response to the INVITE that says how it fares: neither 100, nor a challenge or redirection, after which
    /// the INVITE comes again.
    private(set) var firstResponse: Timestamp?
    private(set) var answered: Timestamp?
    private(set) var hungUp: Timestamp?
    private(set) var hangUpAnswered: Timestamp?
    private var isAcknowledged = false
    /// When the answer had come again too often, and since then no ACK has.
    private var acknowledgementMissedAt: Timestamp?
    private var wasCancelled = false
    private var hasFailed = false

    /// Whether the INVITE was refused, or taken back, and nobody answered it: sound until then was early media
    /// ([RFC 3261 §13.2.2.3](https://www.rfc-editor.org/rfc/rfc3261#section-13.2.2.3)).
    var wasRefused: Bool {
        guard answered == nil else { return false }
        return hasFailed && (invited != nil || !wasUp) || wasCancelled && invited != nil && !wasUp
    }

    /// Whether there was a dialog to acknowledge or to hang up, though its answer may not have been seen.
    var wasUp: Bool { isAcknowledged || hungUp != nil || hangUpAnswered != nil }

    /// When the call was answered, where the ACK of that never came; `nil` where it did, or the probe could not tell.
    var unacknowledgedSince: Timestamp? { acknowledgementMissedAt.map { answered ?? $0 } }

    /// Takes the next SIP event, in order of time.
    mutating func take(_ event: CallEvent) {
        switch event.type {
        case "INVITE": invited = invited ?? event.time
        case "ACK": (isAcknowledged, acknowledgementMissedAt) = (true, nil)
        case "ACK MISSING": acknowledgementMissedAt = acknowledgementMissedAt ?? event.time
        case "CANCEL": wasCancelled = true
        case "BYE": hungUp = hungUp ?? event.time
        default:
            if event.type.hasPrefix("BYE 2") { hangUpAnswered = hangUpAnswered ?? event.time }
            guard EventVocabulary.isSIPStatus(event.type), !Self.saysNothing(event.type) else { return }
            firstResponse = firstResponse ?? event.time
            if event.type.hasPrefix("2") { answered = answered ?? event.time }
            if case .ended = event.meanings.first { hasFailed = true }
        }
    }

    /// The delay ends with a provisional response other than 100, the answer, or a failure, which 3xx, 401, 402 and 407
    /// are not ([RFC 6076 §4.3](https://www.rfc-editor.org/rfc/rfc6076#section-4.3)).
    private static func saysNothing(_ status: String) -> Bool {
        status.hasPrefix("3") || ["100", "401", "402", "407"].contains(status)
    }
}

// MARK: - Archive

extension SIPTimeline {
    func write(to archive: inout ArchiveWriter) {
        archive.put(invited, firstResponse, answered, hungUp)
        archive.put(hangUpAnswered, isAcknowledged, wasCancelled, hasFailed)
        archive.put(acknowledgementMissedAt)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (invited, firstResponse, answered, hungUp) = try archive.get()
        (hangUpAnswered, isAcknowledged, wasCancelled, hasFailed) = try archive.get()
        acknowledgementMissedAt = try archive.get()
    }
}
