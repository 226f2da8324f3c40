import CallModel

/// The latencies of a setup that a probe saw: those of SIP (RFC 6076) and those of clients that SIP tells, too.
struct WireSetup {
    private let setup: SetupLatencies

    init(_ setup: SetupLatencies) {
        self.setup = setup
    }

    /// What is known, two a line.
    var lines: [Line] {
        let items = requests + ends
        guard !items.isEmpty else { return [] }
        let rows = stride(from: 0, to: items.count, by: 2).map { index in
            items[index] + (index + 1 < items.count ? items[index + 1] : ["", "", ""])
        }
        let columns = [7, 16, 17, 4, 15, 17].map { TextTable.Column(limit: $0) }
        return TextTable(columns: columns, rows: rows).lines
    }

    /// Those of RFC 6076 alone.
    var dialog: [Line] {
        let items = [sessionRequest, sessionDuration, sessionDisconnect].compactMap { $0 }
        let columns = [4, 18, 13].map { TextTable.Column(limit: $0) }
        return TextTable(columns: columns, rows: items).lines
    }

    private var requests: [[String]] {
        let isOne = setup.sessionRequestDelay != nil && setup.sessionRequestDelay == setup.postDialDelay
        let request = isOne ? row("SRD, L2", "post-dial delay", setup.sessionRequestDelay) : sessionRequest
        return [
            request, isOne ? nil : row("L2", "post-dial delay", setup.postDialDelay),
            row("L3", "ringing", setup.ringTime), row("L4", "answered", setup.answerDelay),
            row("L8", "first media", setup.firstMediaBy),
        ].compactMap { $0 }
    }

    private var ends: [[String]] {
        let isTimed = setup.callDuration != nil || setup.totalDuration != nil
        return [
            sessionDuration, sessionDisconnect, isTimed ? ["L15", "call / in all", setup.durationWords] : nil,
        ].compactMap { $0 }
    }

    private var sessionRequest: [String]? { row("SRD", "session request", setup.sessionRequestDelay) }

    private var sessionDisconnect: [String]? { row("SDD", "hang-up", setup.sessionDisconnectDelay) }

    private var sessionDuration: [String]? {
        setup.sessionDurationTime.map { ["SDT", "session", Words.duration(milliseconds: $0)] }
    }

    private func row(_ label: String, _ name: String, _ value: Int64?) -> [String]? {
        value.map { [label, name, "\($0) ms"] }
    }
}
