import CallModel

/// The moments of a SIP dialog that RFC 6076 measures between.
struct SIPTimeline: Archivable {
    private(set) var invited: Timestamp?
    /// First response to the INVITE other than 100.
    private(set) var firstResponse: Timestamp?
    private(set) var answered: Timestamp?
    private(set) var hungUp: Timestamp?
    private(set) var hangUpAnswered: Timestamp?

    /// Takes the next SIP event, in order of time.
    mutating func take(_ event: CallEvent) {
        switch event.type {
        case "INVITE": invited = invited ?? event.time
        case "BYE": hungUp = hungUp ?? event.time
        default:
            if event.type.hasPrefix("BYE 2") { hangUpAnswered = hangUpAnswered ?? event.time }
            guard EventVocabulary.isSIPStatus(event.type), event.type != "100" else { return }
            firstResponse = firstResponse ?? event.time
            if event.type.hasPrefix("2") { answered = answered ?? event.time }
        }
    }
}

// MARK: - Archive

extension SIPTimeline {
    func write(to archive: inout ArchiveWriter) {
        archive.put(invited, firstResponse, answered, hungUp)
        archive.put(hangUpAnswered)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (invited, firstResponse, answered, hungUp) = try archive.get()
        hangUpAnswered = try archive.get()
    }
}
